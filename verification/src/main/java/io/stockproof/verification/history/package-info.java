/**
 * What was seen of a run: calls with their intervals and outcomes, and the books kept beside them.
 */
@NullMarked
package io.stockproof.verification.history;

import org.jspecify.annotations.NullMarked;
