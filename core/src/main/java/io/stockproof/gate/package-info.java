/**
 * The Redis side: decides atomically, before the database is touched. A filter in front of the
 * ledger, never the truth: whatever is lost here can be made anew from the rows.
 */
@NullMarked
package io.stockproof.gate;

import org.jspecify.annotations.NullMarked;
