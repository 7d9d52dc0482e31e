/** The modules as a whole. */
@NullMarked
package io.stockproof.reports;

import org.jspecify.annotations.NullMarked;
