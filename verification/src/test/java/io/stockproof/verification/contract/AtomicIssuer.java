package io.stockproof.verification.contract;

import io.stockproof.IssueOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import javax.sql.DataSource;

/**
 * An issuer that is right: the decision is part of the write, and a unique key knows who has one.
 */
final class AtomicIssuer {
  private final DataSource dataSource;

  AtomicIssuer(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  IssueOutcome issue(long couponId, String userId) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        IssueOutcome outcome = write(connection, couponId, userId);
        connection.commit();
        return outcome;
      } catch (SQLIntegrityConstraintViolationException holdsOne) {
        connection.rollback();
        return IssueOutcome.DUPLICATE;
      }
    }
  }

  private static IssueOutcome write(Connection connection, long couponId, String userId)
      throws SQLException {
    try (PreparedStatement take =
            connection.prepareStatement(
                "UPDATE coupon SET issued = issued + 1 WHERE id = ? AND issued < total");
        PreparedStatement give =
            connection.prepareStatement(
                "INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)")) {
      take.setLong(1, couponId);
      if (take.executeUpdate() == 0) {
        return IssueOutcome.SOLD_OUT;
      }
      give.setLong(1, couponId);
      give.setString(2, userId);
      give.executeUpdate();
      return IssueOutcome.ISSUED;
    }
  }
}
