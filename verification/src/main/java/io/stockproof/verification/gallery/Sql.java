package io.stockproof.verification.gallery;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** How the gallery speaks SQL. */
final class Sql {
  private static final int DUPLICATE_ENTRY = 1062;
  private static final int LOCK_WAIT_TIMEOUT = 1205;
  private static final int DEADLOCK = 1213;
  private static final int RECORD_CHANGED = 1020;

  private Sql() {}

  /** Rows changed. */
  static int update(Connection connection, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters)) {
      return statement.executeUpdate();
    }
  }

  /** The numbers of the first row; all 0 if there is none. */
  static long[] numbers(Connection connection, int columns, String sql, Object... parameters)
      throws SQLException {
    long[] numbers = new long[columns];
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet row = statement.executeQuery()) {
      if (row.next()) {
        for (int i = 0; i < columns; i++) {
          numbers[i] = row.getLong(i + 1);
        }
      }
    }
    return numbers;
  }

  /** The number in the first row; 0 if there is none. */
  static long number(Connection connection, String sql, Object... parameters) throws SQLException {
    return numbers(connection, 1, sql, parameters)[0];
  }

  /** The first column of every row. */
  static List<String> texts(Connection connection, String sql, Object... parameters)
      throws SQLException {
    List<String> texts = new ArrayList<>();
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }

  /** A row of the same coupon and user is there. */
  static boolean isDuplicate(SQLException failure) {
    return failure.getErrorCode() == DUPLICATE_ENTRY;
  }

  /** Somebody was in the way; after 1205 the transaction is still open. */
  static boolean isConflict(SQLException failure) {
    return failure.getErrorCode() == DEADLOCK
        || failure.getErrorCode() == LOCK_WAIT_TIMEOUT
        || failure.getErrorCode() == RECORD_CHANGED;
  }
}
