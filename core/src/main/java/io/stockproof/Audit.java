package io.stockproof;

import java.util.ArrayList;
import java.util.List;

/**
 * The books of one coupon, read at about one moment from both stores.
 *
 * @param couponId the coupon
 * @param total units put on sale
 * @param counter what the ledger's counter says was issued
 * @param rows issuance rows, counted
 * @param gateStock the gate's copy of remaining, or -1 if the gate is missing
 * @param gateUsers users in the gate, without the sentinel, or -1 if the gate is missing
 * @param reservations reservations not yet resolved, or -1 if the gate is missing
 */
public record Audit(
    long couponId,
    long total,
    long counter,
    long rows,
    long gateStock,
    long gateUsers,
    long reservations) {

  /**
   * Whether the coupon is at rest with books that agree: rows ≤ total (R101), counter = rows
   * (R103), gate stock = total − rows, gate users = rows and no reservation open (R203).
   */
  public boolean balanced() {
    return differences().isEmpty();
  }

  /** What keeps the books from being {@link #balanced}, one sentence each, for people. */
  public List<String> differences() {
    List<String> found = new ArrayList<>();
    if (rows > total) {
      found.add("rows %d > total %d".formatted(rows, total));
    }
    if (counter != rows) {
      found.add("counter %d, rows %d".formatted(counter, rows));
    }
    if (gateUsers < 0) {
      found.add("the gate is missing");
      return found;
    }
    if (gateStock != total - rows) {
      found.add("gate stock %d, total - rows %d".formatted(gateStock, total - rows));
    }
    if (gateUsers != rows) {
      found.add("gate users %d, rows %d".formatted(gateUsers, rows));
    }
    if (reservations != 0) {
      found.add("reservations open: " + reservations);
    }
    return found;
  }
}
