package io.stockproof.verification.subjects;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The one way in which the subjects write. */
final class Sql {
  private Sql() {}

  /** Rows changed. */
  static int update(Connection connection, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      return statement.executeUpdate();
    }
  }
}
