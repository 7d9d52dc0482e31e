package io.stockproof.verification.subjects;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** The coupon as the articles' code reads it. */
record Coupon(long issued, long total, String status) {
  static final String BY_ID = "SELECT issued, total, status FROM coupon WHERE id = ?";

  /** Null if there is none. */
  static @Nullable Coupon find(JdbcTemplate jdbc, String sql, long couponId) {
    List<Coupon> found = jdbc.query(sql, Coupon::of, couponId);
    return found.isEmpty() ? null : found.get(0);
  }

  private static Coupon of(ResultSet row, int number) throws SQLException {
    return new Coupon(row.getLong("issued"), row.getLong("total"), row.getString("status"));
  }

  boolean isActive() {
    return status.equals("ACTIVE");
  }

  boolean isSoldOut() {
    return issued >= total;
  }
}
