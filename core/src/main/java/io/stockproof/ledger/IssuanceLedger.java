package io.stockproof.ledger;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The durable record of who got what. Beside {@link #record}, methods throw {@link LedgerException}
 * if the database did not answer. Safe for use by any number of threads.
 */
public interface IssuanceLedger {

  /**
   * Writes the issuance row of a reservation and counts it, or neither. Faults are results, never
   * exceptions.
   *
   * @param reservation what the gate gave
   * @param deadline after which nothing is started; checked before every attempt
   * @param permit asked before COMMIT
   */
  Recorded record(Reservation reservation, Deadline deadline, CommitPermit permit);

  /** Whether the user has a row. */
  boolean holds(long couponId, String userId, Deadline deadline);

  /** What is known of a user and a coupon, of one moment; empty if there is no such coupon. */
  Optional<Standing> standing(long couponId, String userId, Deadline deadline);

  /** The coupon's row, if there is one. */
  Optional<CouponRow> find(long couponId, Deadline deadline);

  /** Counts the issuance rows of a coupon. */
  long countRows(long couponId, Deadline deadline);

  /** Writes the coupon's row; false if there is one already. */
  boolean create(CouponRow row, Deadline deadline);

  /** Ends the sale; false if there is no such coupon. Ending twice changes nothing. */
  boolean deactivate(long couponId, Deadline deadline);

  /**
   * Raises the epoch, after which nobody admitted earlier can commit; its row lock waits for
   * whoever is in flight.
   *
   * @return the row with the new epoch, if there is such a coupon
   */
  Optional<CouponRow> fence(long couponId, Deadline deadline);

  /** Users with a row, in the order of their ids, a page at a time. */
  List<String> users(long couponId, String after, int limit, Deadline deadline);

  /** Which of these users have a row, in one transaction with raising the epoch. */
  Optional<Fenced> fenceAndLook(long couponId, List<String> userIds, Deadline deadline);

  /**
   * Sets a counter that differs from the rows to their number.
   *
   * @return true if it differed
   */
  boolean repairCounter(long couponId, Deadline deadline);

  /**
   * Coupons whose window has not ended longer ago than the grace, by the clock of the database, in
   * the order of their ids, a page at a time.
   */
  List<Long> coupons(Duration grace, long afterId, int limit, Deadline deadline);

  /**
   * What {@link #fenceAndLook} found.
   *
   * @param epoch the new epoch
   * @param tokenByUser users with a row, and the token it carries
   */
  record Fenced(long epoch, Map<String, String> tokenByUser) {}
}
