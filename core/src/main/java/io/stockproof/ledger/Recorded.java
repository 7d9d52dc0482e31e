package io.stockproof.ledger;

/**
 * What became of a reservation in the ledger.
 *
 * @param result the meaning
 * @param epoch of {@link Result#FENCED}: the epoch of the ledger
 * @param detail for logs: why, without the user
 */
public record Recorded(Result result, long epoch, String detail) {

  /** The meaning. */
  public enum Result {
    /** The row exists and carries the token of this request. */
    ISSUED,
    /** The user has a row that another request wrote. */
    ALREADY_RECORDED,
    /** The ledger's epoch is another one: this reservation may have been given up by others. */
    FENCED,
    /** The coupon is closed or absent. */
    NOT_ACTIVE,
    /** Every unit is given. */
    EXHAUSTED,
    /** Certainly not written, now or later. */
    NOT_WRITTEN,
    /** It may have been written. */
    UNKNOWN
  }

  static Recorded of(Result result, String detail) {
    return new Recorded(result, -1, detail);
  }
}
