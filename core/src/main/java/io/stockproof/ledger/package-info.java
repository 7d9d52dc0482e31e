/**
 * The database side: the truth. A conditional {@code UPDATE} and an {@code INSERT} under a unique
 * key, in one transaction, on MySQL and MariaDB.
 */
@NullMarked
package io.stockproof.ledger;

import org.jspecify.annotations.NullMarked;
