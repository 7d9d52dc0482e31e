package io.stockproof.verification.subjects;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Subject;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Articles 001 §1 and 004 v1: in a transaction, read, check, insert, write back the count. "There
 * was a transaction": what is missing is control. Its service method is what {@link Synchronized}
 * puts a monitor around.
 */
final class NoControl implements Subject.Instance {
  private final Transactions transactions;

  NoControl(Endpoints endpoints) {
    this.transactions = new Transactions(endpoints.dataSource());
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) throws SQLException {
    return transactions.inTransaction(connection -> issue(connection, couponId, userId));
  }

  private static IssueOutcome issue(Connection connection, long couponId, String userId)
      throws SQLException {
    Coupon coupon =
        Coupon.find(connection, "SELECT issued, total, status FROM coupon WHERE id = ?", couponId);
    if (coupon == null || !coupon.isActive()) {
      return IssueOutcome.NOT_OPEN;
    }
    if (coupon.issued() >= coupon.total()) {
      return IssueOutcome.SOLD_OUT;
    }
    Sql.update(
        connection,
        "INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)",
        couponId,
        userId);
    Sql.update(
        connection, "UPDATE coupon SET issued = ? WHERE id = ?", coupon.issued() + 1, couponId);
    return IssueOutcome.ISSUED;
  }
}
