/** The page, as text and as a browser shows it. */
@NullMarked
package io.stockproof.reports.html;

import org.jspecify.annotations.NullMarked;
