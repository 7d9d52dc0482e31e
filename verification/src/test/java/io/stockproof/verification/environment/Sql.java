package io.stockproof.verification.environment;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** One statement on a connection of its own. */
final class Sql {

  private Sql() {}

  /** The first column of the first row. */
  static String value(DataSource source, String query) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      if (!result.next()) {
        throw new SQLException("no row: " + query);
      }
      return result.getString(1);
    }
  }

  static void run(DataSource source, String sql) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
