package io.stockproof.verification.environment;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Asks a database server for its version. */
final class DatabaseProbe {

  private DatabaseProbe() {}

  /**
   * The version without what the makers append: {@code 11.4.5} of {@code 11.4.5-MariaDB}.
   *
   * @throws SQLException if the server does not answer, or does not know the user yet
   */
  static String version(String jdbcUrl, Credentials user) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(jdbcUrl, user.user(), user.password());
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT VERSION()")) {
      if (!result.next()) {
        throw new SQLException("SELECT VERSION() gave no row");
      }
      return withoutSuffix(result.getString(1));
    }
  }

  /** {@code 11.4.5} of {@code 11.4.5-MariaDB}. */
  static String withoutSuffix(String version) {
    int suffix = version.indexOf('-');
    return suffix < 0 ? version : version.substring(0, suffix);
  }
}
