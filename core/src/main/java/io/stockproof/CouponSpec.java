package io.stockproof;

import java.time.Instant;

/**
 * A coupon as it is put on sale.
 *
 * @param id 1 or more
 * @param total units put on sale, 1 to 1,000,000,000
 * @param opensAt first moment at which it may be issued, by the clock of the Redis server; 1970 or
 *     later, cut to milliseconds
 * @param closesAt first moment at which it may no longer be issued; after {@code opensAt}, in the
 *     year 9999 at the latest, cut to milliseconds
 */
public record CouponSpec(long id, long total, Instant opensAt, Instant closesAt) {

  /** Largest {@link #total}. */
  public static final long MAX_TOTAL = 1_000_000_000L;

  private static final Instant LAST = Instant.ofEpochMilli(253_402_300_799_999L);

  /**
   * Checks the numbers (public case T08) and cuts the instants to milliseconds.
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
    if (opensAt.isBefore(Instant.EPOCH) || closesAt.isAfter(LAST)) {
      throw new IllegalArgumentException(
          "opensAt and closesAt must be in the years 1970 to 9999, were "
              + opensAt
              + " and "
              + closesAt);
    }
    if (opensAt.toEpochMilli() >= closesAt.toEpochMilli()) {
      throw new IllegalArgumentException(
          "opensAt must be before closesAt, was " + opensAt + " and " + closesAt);
    }
    opensAt = Instant.ofEpochMilli(opensAt.toEpochMilli());
    closesAt = Instant.ofEpochMilli(closesAt.toEpochMilli());
  }
}
