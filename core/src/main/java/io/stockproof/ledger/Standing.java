package io.stockproof.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What the ledger knows of a user and a coupon, read at one moment.
 *
 * @param coupon the coupon's row
 * @param token of the user's issuance row; null if there is none
 * @param nowMillis epoch milliseconds by the clock of the database
 */
public record Standing(CouponRow coupon, @Nullable String token, long nowMillis) {

  /** Whether the sale is on by what the ledger knows: active, and inside the window. */
  public boolean onSale() {
    return coupon.active()
        && nowMillis >= coupon.opensAtMillis()
        && nowMillis < coupon.closesAtMillis();
  }
}
