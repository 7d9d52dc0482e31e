package io.stockproof.verification.subjects;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** What {@code @Transactional} does in the articles: commit if the body returns, else roll back. */
final class Transactions {
  private final DataSource dataSource;

  Transactions(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  interface Body<T> {
    T run(Connection connection) throws SQLException;
  }

  <T> T inTransaction(Body<T> body) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      T result;
      try {
        result = body.run(connection);
      } catch (SQLException | RuntimeException failure) {
        rollback(connection, failure);
        throw failure;
      }
      connection.commit();
      return result;
    }
  }

  private static void rollback(Connection connection, Exception failure) {
    try {
      connection.rollback();
    } catch (SQLException again) {
      failure.addSuppressed(again);
    }
  }
}
