package io.stockproof.gate;

/**
 * What the gate answers to a request.
 *
 * @param answer the decision
 * @param epoch of {@link Answer#ACQUIRED}: the ledger accepts the reservation under this epoch only
 * @param detail for logs; of {@link Answer#REBUILDING} the milliseconds left of the lease
 */
public record Admission(Answer answer, long epoch, String detail) {

  /** The decision. */
  public enum Answer {
    /** A unit is reserved under the token of the request. */
    ACQUIRED,
    /** The user is in the gate with no reservation open. */
    DUPLICATE,
    /** The user's other reservation is open; it may still fail. */
    IN_FLIGHT,
    /** No stock, and no reservation that could come back. */
    SOLD_OUT_SETTLED,
    /** No stock, with reservations open. */
    SOLD_OUT,
    /** Outside the window by the time of the server, or closed. */
    NOT_OPEN,
    /** A key is absent. */
    MISSING,
    /** The gate is being made again. */
    REBUILDING,
    /** A key has a wrong type or value. */
    CORRUPT
  }

  /** Whether a rebuild may be needed: nothing there, or one whose lease has run out. */
  public boolean needsRebuild() {
    return answer == Answer.MISSING || (answer == Answer.REBUILDING && detail.equals("0"));
  }
}
