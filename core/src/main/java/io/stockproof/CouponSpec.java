package io.stockproof;

import java.time.Instant;

/**
 * A coupon as it is put on sale.
 *
 * @param id 1 or more
 * @param total units put on sale, 1 to 1,000,000,000
 * @param opensAt first moment at which it may be issued, by the clock of the Redis server;
 *     millisecond precision
 * @param closesAt first moment at which it may no longer be issued; after {@code opensAt}
 */
public record CouponSpec(long id, long total, Instant opensAt, Instant closesAt) {

  /** Largest {@link #total}. */
  public static final long MAX_TOTAL = 1_000_000_000L;

  /**
   * Checks the numbers (public case T08).
   *
   * @throws IllegalArgumentException if a number is outside its range
   */
  public CouponSpec {
    if (id < 1) {
      throw new IllegalArgumentException("coupon id must be 1 or more, was " + id);
    }
    if (total < 1 || total > MAX_TOTAL) {
      throw new IllegalArgumentException("total must be 1 to " + MAX_TOTAL + ", was " + total);
    }
    if (!opensAt.isBefore(closesAt)) {
      throw new IllegalArgumentException(
          "opensAt must be before closesAt, was " + opensAt + " and " + closesAt);
    }
  }
}
