package com.example;

import io.stockproof.IssueOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import javax.sql.DataSource;

/** Counts the rows, and then adds one: another fits between. */
record BrokenIssuer(DataSource dataSource) {

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
    try (PreparedStatement look =
            connection.prepareStatement("SELECT issued < total FROM coupon WHERE id = ?");
        PreparedStatement give =
            connection.prepareStatement(
                "INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)");
        PreparedStatement count =
            connection.prepareStatement("UPDATE coupon SET issued = issued + 1 WHERE id = ?")) {
      look.setLong(1, couponId);
      try (ResultSet row = look.executeQuery()) {
        if (!row.next() || !row.getBoolean(1)) {
          return IssueOutcome.SOLD_OUT;
        }
      }
      give.setLong(1, couponId);
      give.setString(2, userId);
      give.executeUpdate();
      count.setLong(1, couponId);
      count.executeUpdate();
      return IssueOutcome.ISSUED;
    }
  }
}
