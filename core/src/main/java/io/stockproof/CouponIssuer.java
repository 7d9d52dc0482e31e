package io.stockproof;

import java.util.concurrent.CompletionStage;

/**
 * Gives one unit of a coupon to one user. Safe for use by any number of threads, and by any number
 * of instances on the same stores.
 *
 * <p>User ids are 1 to 64 printable ASCII characters (0x21 to 0x7E) and mean the same, byte for
 * byte, in Redis and in the database: {@code Ab} and {@code ab} are two people.
 */
public interface CouponIssuer extends AutoCloseable {

  /**
   * Issues one unit, blocking at most the configured timeout.
   *
   * @param couponId the coupon, 1 or more
   * @param userId 1 to 64 printable ASCII characters
   * @return exactly one outcome; faults of the stores are {@link IssueOutcome#UNAVAILABLE} or
   *     {@link IssueOutcome#UNKNOWN}, never exceptions (R306)
   * @throws IllegalArgumentException if an argument is outside its range; nothing has happened then
   *     (R603)
   * @throws IllegalStateException if this issuer is closed
   */
  IssueOutcome issue(long couponId, String userId);

  /**
   * As {@link #issue(long, String)}, without blocking the caller.
   *
   * @param couponId the coupon, 1 or more
   * @param userId 1 to 64 printable ASCII characters
   * @return completes with an outcome within the configured timeout; never exceptionally for a
   *     fault of a store
   * @throws IllegalArgumentException if an argument is outside its range; nothing has happened then
   *     (R603)
   * @throws IllegalStateException if this issuer is closed
   */
  CompletionStage<IssueOutcome> issueAsync(long couponId, String userId);

  /**
   * As {@link #issue(long, String)}; the user id is its canonical decimal.
   *
   * @param couponId the coupon, 1 or more
   * @param userId any long, for example a primary key
   * @return exactly one outcome
   */
  default IssueOutcome issue(long couponId, long userId) {
    return issue(couponId, Long.toString(userId));
  }

  /**
   * Waits for requests in flight, then stops every thread this issuer started. The stores stay
   * open.
   */
  @Override
  void close();
}
