package io.stockproof.verification.environment;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where a pool gets its connections. While the server does not answer, it tries again soon:
 * HikariCP alone waits twice as long after each failure (10 ms to 5 s, no option changes it), so
 * that an application would stand still for as long again as its database was away, and times of
 * recovery (R501) would be those of the pool. Thread-safe.
 */
final class PromptConnections implements DataSource {

  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final String NO_CONNECTION = "08";

  private final String url;
  private final Map<String, String> settings;
  private final Duration patience;
  private final AtomicLong failures = new AtomicLong();

  /**
   * Connects through {@link DriverManager}.
   *
   * @param settings of the driver
   * @param patience how long one call tries, while there is no answer; other errors are thrown at
   *     once
   */
  PromptConnections(String url, Map<String, String> settings, Duration patience) {
    this.url = url;
    this.settings = Map.copyOf(settings);
    this.patience = patience;
  }

  @Override
  public Connection getConnection() throws SQLException {
    throw new SQLFeatureNotSupportedException("the pool tells who connects");
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    Properties properties = new Properties();
    properties.putAll(settings);
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return DriverManager.getConnection(url, properties);
      } catch (SQLException failed) {
        failures.incrementAndGet();
        if (System.nanoTime() > deadline || !nobodyAnswers(failed)) {
          throw failed;
        }
        pause(failed);
      }
    }
  }

  /** Attempts so far that gave no connection. */
  long failures() {
    return failures.get();
  }

  private static boolean nobodyAnswers(SQLException failed) {
    return failed.getSQLState() != null && failed.getSQLState().startsWith(NO_CONNECTION);
  }

  private static void pause(SQLException failed) throws SQLException {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
      throw failed;
    }
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    throw new SQLFeatureNotSupportedException("logs through SLF4J");
  }

  @Override
  public void setLoginTimeout(int seconds) {
    DriverManager.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() {
    return DriverManager.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("logs through SLF4J");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("wraps nothing");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }
}
