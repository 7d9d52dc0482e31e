/** How findings add up to verdicts. */
@NullMarked
package io.stockproof.verification;

import org.jspecify.annotations.NullMarked;
