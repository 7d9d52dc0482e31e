package io.stockproof.ledger;

/**
 * What the gate gave, on its way into the ledger.
 *
 * @param couponId the coupon
 * @param userId whose
 * @param token of the one request that made it; its row carries it
 * @param epoch under which the gate admitted it; the ledger accepts no other
 */
public record Reservation(long couponId, String userId, String token, long epoch) {

  /** The same reservation under a newer epoch. */
  public Reservation under(long newerEpoch) {
    return new Reservation(couponId, userId, token, newerEpoch);
  }
}
