package io.stockproof.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection for one transaction or query. Whatever happens, it goes back to its pool as it
 * came: nothing open, autocommit and network timeout restored; or, when in doubt, it is discarded,
 * so that the server ends its session.
 */
final class Session implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Session.class);

  private final Connection connection;
  private final boolean restoresAutoCommit;
  private final int networkTimeoutMillis;
  private boolean open;
  private boolean doubtful;

  private Session(Connection connection, boolean restoresAutoCommit, boolean open)
      throws SQLException {
    this.connection = connection;
    this.restoresAutoCommit = restoresAutoCommit;
    this.networkTimeoutMillis = connection.getNetworkTimeout();
    this.open = open;
  }

  /**
   * Takes a connection for a transaction. No statement that is run on it waits longer than the
   * deadline: the socket itself times out, which costs neither a round trip nor a thread.
   */
  static Session begin(DataSource dataSource, Deadline deadline) throws SQLException {
    return take(dataSource, deadline, true);
  }

  /**
   * The same for a single statement. Where the pool has autocommit on, that is a transaction by
   * itself, and three round trips fewer.
   */
  static Session forOneStatement(DataSource dataSource, Deadline deadline) throws SQLException {
    return take(dataSource, deadline, false);
  }

  private static Session take(DataSource dataSource, Deadline deadline, boolean transaction)
      throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      boolean autoCommit = connection.getAutoCommit();
      boolean switches = transaction && autoCommit;
      Session session = new Session(connection, switches, switches || !autoCommit);
      connection.setNetworkTimeout(Runnable::run, deadline.remainingMillis());
      if (switches) {
        connection.setAutoCommit(false);
      }
      return session;
    } catch (SQLException e) {
      discard(connection);
      throw e;
    }
  }

  /** Reads one row of an answer. */
  @FunctionalInterface
  interface Reading<T> {
    T of(ResultSet row) throws SQLException;
  }

  /** All rows of a query. */
  <T> List<T> all(String sql, Reading<T> reading, Object... arguments) throws SQLException {
    try (PreparedStatement select = prepare(sql, arguments);
        ResultSet rows = select.executeQuery()) {
      List<T> read = new ArrayList<>();
      while (rows.next()) {
        read.add(reading.of(rows));
      }
      return read;
    }
  }

  /** The one row of a query that has at most one. */
  <T> Optional<T> first(String sql, Reading<T> reading, Object... arguments) throws SQLException {
    return all(sql, reading, arguments).stream().findFirst();
  }

  /** How many rows a statement changed. */
  int update(String sql, Object... arguments) throws SQLException {
    try (PreparedStatement update = prepare(sql, arguments)) {
      return update.executeUpdate();
    }
  }

  private PreparedStatement prepare(String sql, Object... arguments) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
    return statement;
  }

  /** Makes it durable, if the statement has not by itself. If this throws, it may or may not be. */
  void commit() throws SQLException {
    if (open) {
      connection.commit();
      open = false;
    }
  }

  /** Undoes all of it; a lock wait that timed out has undone its own statement only (D11). */
  void rollback() {
    if (open && !doubtful) {
      try {
        connection.rollback();
        open = false;
      } catch (SQLException e) {
        log.debug("event=rollback-failed code={}", e.getErrorCode(), e);
        doubtful = true;
      }
    }
  }

  /** A further transaction on the same connection, after the first was rolled back. */
  void reopen() throws SQLException {
    if (doubtful) {
      throw new SQLException("the connection was lost in the rollback", "08000");
    }
    open = true;
  }

  /** Nothing more is said on this connection; the server rolls back what is open. */
  void doubt() {
    doubtful = true;
  }

  @Override
  public void close() {
    rollback();
    if (!doubtful) {
      try {
        // Only now: switching autocommit on would commit what is open.
        if (restoresAutoCommit) {
          connection.setAutoCommit(true);
        }
        connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
        connection.close();
        return;
      } catch (SQLException e) {
        log.debug("event=restore-failed code={}", e.getErrorCode(), e);
      }
    }
    discard(connection);
  }

  private static void discard(Connection connection) {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException e) {
      log.debug("event=abort-failed code={}", e.getErrorCode(), e);
    }
    try {
      connection.close();
    } catch (SQLException e) {
      // The pool has seen that it is broken.
      log.debug("event=close-failed code={}", e.getErrorCode(), e);
    }
  }
}
