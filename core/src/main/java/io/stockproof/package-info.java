/**
 * Issues exactly the stock of a coupon: a Redis gate in front, a database ledger behind,
 * compensation between them. What users of the library call is here; the packages below hold the
 * two stores.
 */
@NullMarked
package io.stockproof;

import org.jspecify.annotations.NullMarked;
