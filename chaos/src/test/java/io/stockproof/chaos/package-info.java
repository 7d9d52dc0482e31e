/** Tests of campaigns, on real servers. */
@NullMarked
package io.stockproof.chaos;

import org.jspecify.annotations.NullMarked;
