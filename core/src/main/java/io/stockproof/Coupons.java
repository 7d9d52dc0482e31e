package io.stockproof;

/**
 * What is done with a coupon beside issuing it. Safe for use by any number of threads and
 * instances.
 */
public interface Coupons {

  /**
   * Puts a coupon on sale: writes its ledger row if there is none, then builds the gate if it is
   * missing. Opening what is open changes nothing (R602). An instance that was asked for the coupon
   * just before it existed may go on to say NOT_OPEN for {@link Stockproof.Builder#soldOutMemory}.
   *
   * @param spec the coupon
   * @throws IllegalStateException if the coupon exists with other numbers, or is closed; nothing
   *     has changed
   * @throws StoreUnavailableException if a store did not answer; opening again is safe
   */
  void open(CouponSpec spec);

  /**
   * Ends the sale: the ledger first, then the gate. A request that was admitted before may still be
   * told {@link IssueOutcome#NOT_OPEN}. Closing what is closed changes nothing.
   *
   * @param couponId the coupon
   * @throws IllegalArgumentException if there is no such coupon
   * @throws StoreUnavailableException if a store did not answer; closing again is safe
   */
  void close(long couponId);

  /**
   * Whether the user has an issuance row, read from the ledger.
   *
   * @param couponId the coupon, 1 or more
   * @param userId 1 to 64 printable ASCII characters
   * @return true if the row exists
   * @throws StoreUnavailableException if the ledger did not answer
   */
  boolean holds(long couponId, String userId);

  /**
   * Reads the books of a coupon from both stores; writes nothing.
   *
   * @param couponId the coupon
   * @return the numbers as found
   * @throws IllegalArgumentException if there is no such coupon
   * @throws StoreUnavailableException if a store did not answer
   */
  Audit audit(long couponId);

  /**
   * Makes the gate anew from the ledger's rows, beside traffic: requests are told {@link
   * IssueOutcome#UNAVAILABLE} meanwhile.
   *
   * @param couponId the coupon
   * @return false if another instance is rebuilding this coupon now; nothing was changed then
   * @throws IllegalArgumentException if there is no such coupon
   * @throws StoreUnavailableException if a store did not answer; rebuilding again is safe
   */
  boolean rebuild(long couponId);

  /**
   * Resolves reservations older than the reservation timeout: confirms those with a row, releases
   * the others, and fences off their owners. Then compares the books; a gate that is missing, or
   * out of step here and in an earlier look a reservation timeout ago, is rebuilt. Instances with
   * background threads do this by themselves.
   *
   * @param couponId the coupon
   * @throws IllegalArgumentException if there is no such coupon
   * @throws StoreUnavailableException if a store did not answer; reconciling again is safe
   */
  void reconcile(long couponId);

  /**
   * Sets the ledger's counter to the number of its rows, if something else has parted them. The
   * rows are the truth; nothing of this library parts them (R103).
   *
   * @param couponId the coupon
   * @return whether the counter was wrong
   * @throws IllegalArgumentException if there is no such coupon
   * @throws StoreUnavailableException if a store did not answer; repairing again is safe
   */
  boolean repair(long couponId);
}
