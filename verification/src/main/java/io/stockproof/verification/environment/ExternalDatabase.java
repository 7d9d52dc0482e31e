package io.stockproof.verification.environment;

import io.stockproof.verification.environment.Environment.DatabaseServer;
import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A schema of a database server that runs already. One that was empty is marked by a table as a
 * run's own, and is emptied at the end; tables that were there before are never removed here.
 */
final class ExternalDatabase {

  static final String MARKER = "stockproof_created";

  private static final String PATIENCE = "&connectTimeout=5000&socketTimeout=20000";
  private static final String TABLES =
      "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()";

  /** A name may have 64 characters. It is given back when its connection ends, however that is. */
  private static final String LOCK =
      "SELECT GET_LOCK(LEFT(CONCAT('stockproof ', DATABASE()), 64), 0)";

  private static final int UNKNOWN_SCHEMA = 1049;
  private static final Set<Integer> NOT_LET_IN = Set.of(1044, 1045, 1698);

  private final DatabaseServer server;
  private final Credentials user;
  private final Set<String> before;
  private final boolean ours;

  /** Has the lock that keeps other runs away. */
  private @Nullable Connection holding;

  private ExternalDatabase(
      DatabaseServer server, Credentials user, Set<String> before, boolean ours) {
    this.server = server;
    this.user = user;
    this.before = before;
    this.ours = ours;
  }

  /**
   * Looks what is there, and changes nothing.
   *
   * @throws EnvironmentException if there is no such server or schema, the user may not use it, or
   *     it has tables that no run made and that may not be used
   */
  static ExternalDatabase look(JdbcAddress address, Credentials user, boolean useExisting) {
    DatabaseServer unknown =
        new DatabaseServer(Product.MYSQL, "", address.host(), address.port(), address.schema());
    try (Connection connection = connect(unknown, user);
        Statement statement = connection.createStatement()) {
      DatabaseServer server = identified(statement, unknown);
      requireSightOfLocks(statement, server, user);
      Set<String> tables = tables(statement);
      boolean ours = tables.isEmpty() || tables.contains(MARKER);
      if (!ours && !useExisting) {
        throw new EnvironmentException(
            ("schema '%s' has %d tables that no run made (%s): name an empty schema, or allow"
                    + " --use-existing (%s=true); a run replaces its subject's tables, such as"
                    + " coupon and issued_coupon")
                .formatted(
                    server.schema(),
                    tables.size(),
                    String.join(", ", tables.stream().limit(3).toList())
                        + (tables.size() > 3 ? ", …" : ""),
                    ExternalOptions.USE_EXISTING.property()));
      }
      return new ExternalDatabase(server, user, tables, ours);
    } catch (SQLException e) {
      throw new EnvironmentException(why(e, unknown, user), e);
    }
  }

  private static Connection connect(DatabaseServer server, Credentials user) throws SQLException {
    return DriverManager.getConnection(server.jdbcUrl() + PATIENCE, user.user(), user.password());
  }

  private static DatabaseServer identified(Statement statement, DatabaseServer unknown)
      throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT VERSION()")) {
      if (!row.next()) {
        throw new SQLException("SELECT VERSION() gave no row");
      }
      String version = row.getString(1);
      return new DatabaseServer(
          version.contains("MariaDB") ? Product.MARIADB : Product.MYSQL,
          DatabaseProbe.withoutSuffix(version),
          unknown.host(),
          unknown.port(),
          unknown.schema());
    }
  }

  /** A search asks the server who waits for whom; better said now than in the middle of one. */
  private static void requireSightOfLocks(
      Statement statement, DatabaseServer server, Credentials user) throws SQLException {
    boolean mariaDb = server.product() == Product.MARIADB;
    String question =
        mariaDb
            ? "SHOW ENGINE INNODB STATUS"
            : "SELECT 1 FROM performance_schema.data_lock_waits, performance_schema.threads LIMIT 1";
    try {
      statement.executeQuery(question).close();
    } catch (SQLException denied) {
      String rights =
          mariaDb
              ? "GRANT PROCESS ON *.* TO %s"
              : "GRANT PROCESS ON *.* TO %1$s; GRANT SELECT ON performance_schema.* TO %1$s";
      throw new EnvironmentException(
          "user '%s' may not see who waits for a lock, which every search asks: %s"
              .formatted(user, rights.formatted(user)),
          denied);
    }
  }

  private static Set<String> tables(Statement statement) throws SQLException {
    Set<String> tables = new TreeSet<>();
    try (ResultSet rows = statement.executeQuery(TABLES)) {
      while (rows.next()) {
        tables.add(rows.getString(1));
      }
    }
    return tables;
  }

  /** What failed, in one line and without the password. */
  private static String why(SQLException failed, DatabaseServer server, Credentials user) {
    String place = server.host() + ":" + server.port();
    if (failed.getErrorCode() == UNKNOWN_SCHEMA) {
      return "the database at %s has no schema '%s': CREATE DATABASE it, or name another"
          .formatted(place, server.schema());
    }
    if (NOT_LET_IN.contains(failed.getErrorCode())) {
      return "the database at %s does not let user '%s' into schema '%s' with this password%s"
          .formatted(
              place, user, server.schema(), user.password().isEmpty() ? " (none was given)" : "");
    }
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException) {
        return "there is no host '%s' (database)".formatted(server.host());
      }
      if (cause instanceof ConnectException) {
        return "no database listens at " + place;
      }
    }
    String message = String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
    return "the database at %s cannot be used: %s".formatted(place, message);
  }

  /** The server, now that it was seen. */
  DatabaseServer server() {
    return server;
  }

  /**
   * Keeps other runs away from the schema, and marks it if it was empty.
   *
   * @throws EnvironmentException if another run uses it now
   */
  void take() {
    try {
      Connection connection = connect(server, user);
      try (Statement statement = connection.createStatement();
          ResultSet lock = statement.executeQuery(LOCK)) {
        if (!lock.next() || lock.getInt(1) != 1) {
          connection.close();
          throw new EnvironmentException(
              "another run uses schema '%s' now: wait, or name another".formatted(server.schema()));
        }
      }
      holding = connection;
      if (ours) {
        mark(connection);
      }
    } catch (SQLException e) {
      throw new EnvironmentException(why(e, server, user), e);
    }
  }

  private static void mark(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS "
              + MARKER
              + " (at TIMESTAMP) COMMENT = 'A run of Stockproof began with this schema empty, and"
              + " removes what came since'");
    }
  }

  /**
   * Lets others use the schema. Before that it removes what came since {@link #look}, and the mark
   * if nothing else is there; nothing at all in a schema that had somebody else's tables, or that
   * was not taken.
   */
  void giveBack() {
    if (holding == null) {
      return;
    }
    // The lock's own connection may have been idle for too long by now.
    try (Connection held = holding) {
      if (ours) {
        empty();
      }
    } catch (SQLException e) {
      throw new EnvironmentException("could not empty schema '%s'".formatted(server.schema()), e);
    }
  }

  private void empty() throws SQLException {
    try (Connection connection = connect(server, user);
        Statement statement = connection.createStatement()) {
      Set<String> now = tables(statement);
      Set<String> since = new TreeSet<>(now);
      since.removeAll(before);
      since.remove(MARKER);
      now.removeAll(since);
      if (now.equals(Set.of(MARKER))) {
        since.add(MARKER);
      }
      // What still holds a lock now has been cut off, and is about to be rolled back.
      statement.execute("SET SESSION lock_wait_timeout = 5, SESSION foreign_key_checks = 0");
      for (String table : since) {
        statement.execute("DROP TABLE IF EXISTS `" + table.replace("`", "``") + "`");
      }
    }
  }
}
