package io.stockproof;

import java.time.Duration;

/**
 * Hears what an issuer does: for meters, and for what follows an issuance. It is told once or, if
 * the process dies in between, not at all: what must follow every issuance is to be read from the
 * rows.
 *
 * <p>Methods are called on the thread that did the work: the caller's, or one of the issuer or of
 * the Redis client. They must not block, and must be safe for use by any number of threads. What
 * they throw is caught and logged.
 */
public interface IssuanceListener {

  /** How a reservation ended. */
  enum Resolution {
    /** The row exists and the gate was told. */
    CONFIRMED,
    /** The row does not exist and the unit was given back. */
    RELEASED,
    /** The ledger turned out to be full; the gate was emptied. */
    EXHAUSTED,
    /** It had grown too old and the reconciler ended it, either way. */
    RECONCILED
  }

  /** Whether the gate is asked. */
  enum Circuit {
    /** It is. */
    CLOSED,
    /** It did not answer several times in a row, and is left alone for a while. */
    OPEN,
    /** One request asks whether it answers again. */
    HALF_OPEN
  }

  /**
   * A request has ended.
   *
   * @param couponId the coupon
   * @param userId who asked
   * @param outcome what the caller is told
   * @param elapsed since the request began
   */
  default void onOutcome(long couponId, String userId, IssueOutcome outcome, Duration elapsed) {}

  /**
   * Reservations were resolved at the gate.
   *
   * @param couponId the coupon
   * @param resolution how
   * @param reservations how many, 1 or more
   */
  default void onResolved(long couponId, Resolution resolution, long reservations) {}

  /**
   * A gate was made from the rows by this instance, at first or anew.
   *
   * @param couponId the coupon
   */
  default void onRebuilt(long couponId) {}

  /**
   * The circuit breaker changed.
   *
   * @param state what it is now
   */
  default void onCircuit(Circuit state) {}
}
