package io.stockproof.gate;

/**
 * What the gate holds of one coupon; the numbers are -1 unless it is in service.
 *
 * @param condition OPEN, CLOSED, or the reason why it is not in service
 * @param detail for logs
 * @param stock the gate stock
 * @param users users with a reservation or an issuance, without the sentinel
 * @param reservations open reservations, without the sentinel
 * @param epoch under which reservations are made
 */
public record GateBooks(
    Condition condition, String detail, long stock, long users, long reservations, long epoch) {

  /** Whether and how the gate is in service. */
  public enum Condition {
    OPEN,
    CLOSED,
    MISSING,
    REBUILDING,
    CORRUPT
  }

  /** Whether there is no gate: keys are absent, or who was making it anew is dead. */
  public boolean missing() {
    return condition == Condition.MISSING
        || (condition == Condition.REBUILDING && detail.equals("0"));
  }

  /** Whether the numbers are there. */
  public boolean inService() {
    return condition == Condition.OPEN || condition == Condition.CLOSED;
  }
}
