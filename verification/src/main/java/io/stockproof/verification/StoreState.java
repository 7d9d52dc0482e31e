package io.stockproof.verification;

import java.util.Map;
import java.util.Set;

/**
 * The truth about one coupon, read directly from the stores, not through the subject.
 *
 * @param rowsByUser issuance rows of each user who has any
 * @param counter the counter of issued units beside the rows, or -1 if the subject keeps none
 * @param gateStock the gate stock, or {@link #MISSING} if there is none; may be negative if the
 *     subject lets it
 * @param gateUsers users in the gate that are not mere reservations, or empty if there is no gate
 * @param reservations users with an open reservation in the gate; empty if the subject has no such
 *     thing
 */
public record StoreState(
    Map<String, Long> rowsByUser,
    long counter,
    long gateStock,
    Set<String> gateUsers,
    Set<String> reservations) {

  /** Value of {@link #gateStock} where there is no gate. */
  public static final long MISSING = Long.MIN_VALUE;

  /** Copies the collections. */
  public StoreState {
    rowsByUser = Map.copyOf(rowsByUser);
    gateUsers = Set.copyOf(gateUsers);
    reservations = Set.copyOf(reservations);
  }

  /** Issuance rows, counted. */
  public long rows() {
    return rowsByUser.values().stream().mapToLong(Long::longValue).sum();
  }
}
