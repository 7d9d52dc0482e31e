package io.stockproof;

/**
 * What the caller of {@link CouponIssuer#issue} is told. Expected refusals are values, never
 * exceptions.
 */
public enum IssueOutcome {
  /** The issuance row is durable (R301). Final; HTTP 200. */
  ISSUED(true),
  /** Asynchronous ledger only: durably queued, will be issued exactly once. Final; HTTP 202. */
  ACCEPTED(true),
  /** This user already holds a row (R304). Final; HTTP 409. */
  DUPLICATE(true),
  /** Every unit is given or reserved now (R303). Final; HTTP 409. */
  SOLD_OUT(true),
  /** Outside the window, closed, or no such coupon (R601). Final; HTTP 409, or 404 if unknown. */
  NOT_OPEN(true),
  /**
   * Nothing was decided and nothing remains: ask again (R305). Not final; HTTP 503 with
   * Retry-After.
   */
  UNAVAILABLE(false),
  /**
   * It may have been issued: ask {@link Coupons#holds} or ask again (R307). Not final; HTTP 503
   * with Retry-After.
   */
  UNKNOWN(false);

  private final boolean isFinal;

  IssueOutcome(boolean isFinal) {
    this.isFinal = isFinal;
  }

  /** Whether asking again cannot be expected to change the answer. */
  public boolean isFinal() {
    return isFinal;
  }
}
