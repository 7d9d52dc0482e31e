package io.stockproof.verification.subjects;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The coupon as the articles' code reads it. */
record Coupon(long issued, long total, String status) {

  static @Nullable Coupon find(Connection connection, String sql, long couponId)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, couponId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? new Coupon(row.getLong(1), row.getLong(2), row.getString(3)) : null;
      }
    }
  }

  boolean isActive() {
    return status.equals("ACTIVE");
  }
}
