package io.stockproof.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection for one transaction. Whatever happens, it goes back to its pool as it came:
 * nothing open, autocommit and network timeout restored; or, when in doubt, it is discarded, so
 * that the server ends its session.
 */
final class Session implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Session.class);

  private final Connection connection;
  private final boolean autoCommit;
  private final int networkTimeoutMillis;
  private boolean open = true;
  private boolean doubtful;

  private Session(Connection connection, boolean autoCommit, int networkTimeoutMillis) {
    this.connection = connection;
    this.autoCommit = autoCommit;
    this.networkTimeoutMillis = networkTimeoutMillis;
  }

  /**
   * Takes a connection. No statement that is run on it waits longer than the deadline: the socket
   * itself times out, which costs neither a round trip nor a thread.
   */
  static Session begin(DataSource dataSource, Deadline deadline) throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      Session session =
          new Session(connection, connection.getAutoCommit(), connection.getNetworkTimeout());
      connection.setNetworkTimeout(Runnable::run, deadline.remainingMillis());
      if (session.autoCommit) {
        connection.setAutoCommit(false);
      }
      return session;
    } catch (SQLException e) {
      discard(connection);
      throw e;
    }
  }

  PreparedStatement prepare(String sql) throws SQLException {
    return connection.prepareStatement(sql);
  }

  /** Makes it durable. If this throws, it may or may not be. */
  void commit() throws SQLException {
    connection.commit();
    open = false;
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
        if (autoCommit) {
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
