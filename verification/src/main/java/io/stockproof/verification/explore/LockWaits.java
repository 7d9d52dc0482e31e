package io.stockproof.verification.explore;

import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks the server which connections wait for a lock; nothing is guessed from time. Uses the queries
 * that are live: {@code information_schema.INNODB_TRX} and {@code INNODB_LOCK_WAITS} are cached for
 * 100 ms and miss waits.
 *
 * <p>Used by the scheduler's thread only.
 */
final class LockWaits implements AutoCloseable {

  /** Live and cheap, but only a number: whether it is worth asking who. */
  private static final String MARIADB_ROW_WAITS =
      "SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'";

  private static final String MARIADB_WHO_WAITS = "SHOW ENGINE INNODB STATUS";

  private static final Pattern WAITING_TRANSACTION =
      Pattern.compile("^LOCK WAIT [^\\n]*\\n(?:MySQL|MariaDB) thread id (\\d+)", Pattern.MULTILINE);

  private static final String MYSQL_ROW_WAITS =
      """
      SELECT DISTINCT t.PROCESSLIST_ID
        FROM performance_schema.data_lock_waits w
        JOIN performance_schema.threads t ON t.THREAD_ID = w.REQUESTING_THREAD_ID""";

  private static final String OTHER_WAITS =
      """
      SELECT ID FROM information_schema.PROCESSLIST
       WHERE STATE IN ('User lock', 'Waiting for table metadata lock')""";

  private final Connection connection;
  private final PreparedStatement rowWaits;
  private final PreparedStatement whoWaits;
  private final PreparedStatement otherWaits;
  private final boolean mariaDb;

  LockWaits(Environment environment) throws SQLException {
    connection = environment.admin().getConnection();
    mariaDb = environment.database().product() == Product.MARIADB;
    rowWaits = connection.prepareStatement(mariaDb ? MARIADB_ROW_WAITS : MYSQL_ROW_WAITS);
    whoWaits = connection.prepareStatement(MARIADB_WHO_WAITS);
    otherWaits = connection.prepareStatement(OTHER_WAITS);
  }

  /**
   * Which of the connections wait now, for a row, a table's metadata or a {@code GET_LOCK}.
   *
   * @param executing thread ids at the server of all connections that have a statement under way
   */
  Set<Long> waiting(Set<Long> executing) throws SQLException {
    Set<Long> waiting = new HashSet<>();
    try (ResultSet row = rowWaits.executeQuery()) {
      while (row.next()) {
        if (!mariaDb) {
          waiting.add(row.getLong(1));
        } else if (row.getLong(2) > 0) {
          addWaitingTransactions(waiting);
        }
      }
    }
    if (!waiting.containsAll(executing)) {
      try (ResultSet row = otherWaits.executeQuery()) {
        while (row.next()) {
          waiting.add(row.getLong(1));
        }
      }
    }
    waiting.retainAll(executing);
    return waiting;
  }

  private void addWaitingTransactions(Set<Long> waiting) throws SQLException {
    try (ResultSet row = whoWaits.executeQuery()) {
      while (row.next()) {
        Matcher transaction = WAITING_TRANSACTION.matcher(row.getString(3));
        while (transaction.find()) {
          waiting.add(Long.parseLong(transaction.group(1)));
        }
      }
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
