package io.stockproof.verification.contract;

import io.stockproof.IssueOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import javax.sql.DataSource;

/** An issuer as many begin: reads what is left, decides, and writes what it has decided. */
final class NaiveIssuer {
  private final DataSource dataSource;

  NaiveIssuer(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  IssueOutcome issue(long couponId, String userId) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      if (left(connection, couponId) <= 0) {
        return IssueOutcome.SOLD_OUT;
      }
      update(
          connection,
          "INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)",
          couponId,
          userId);
      update(connection, "UPDATE coupon SET issued = issued + 1 WHERE id = ?", couponId);
      return IssueOutcome.ISSUED;
    } catch (SQLIntegrityConstraintViolationException holdsOne) {
      return IssueOutcome.DUPLICATE;
    }
  }

  private static long left(Connection connection, long couponId) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT total - issued FROM coupon WHERE id = ?")) {
      select.setLong(1, couponId);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }

  private static void update(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      statement.executeUpdate();
    }
  }
}
