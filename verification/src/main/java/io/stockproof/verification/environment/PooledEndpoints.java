package io.stockproof.verification.environment;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.stockproof.verification.Endpoints;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Endpoints with a fixed pool of connections. Thread-safe; closing twice is the same as once.
 *
 * <p>The pool holds its size at all times and never replaces a healthy connection, so that nothing
 * but the instance itself puts commands on the wire. A connection is waited for 4 s at most.
 */
public final class PooledEndpoints implements Endpoints, AutoCloseable {

  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(4);
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final Credentials credentials;
  private final String redisUri;
  private final HikariDataSource pool;

  PooledEndpoints(String jdbcUrl, Credentials credentials, String redisUri, int poolSize) {
    if (poolSize < 1) {
      throw new IllegalArgumentException("poolSize must be 1 or more, was " + poolSize);
    }
    this.credentials = credentials;
    this.redisUri = redisUri;
    this.pool = pool("stockproof-app-" + NUMBER.incrementAndGet(), jdbcUrl, credentials, poolSize);
  }

  /**
   * Endpoints that another process was given, for an instance in a process of its own.
   *
   * @param poolSize connections, 1 or more
   * @throws IllegalArgumentException if the pool size is below 1, or the address of Redis has no
   *     port
   */
  public static PooledEndpoints of(
      String jdbcUrl, String dbUser, String dbPassword, String redisUri, int poolSize) {
    if (URI.create(redisUri).getPort() < 0) {
      throw new IllegalArgumentException("redisUri must have a port");
    }
    return new PooledEndpoints(jdbcUrl, new Credentials(dbUser, dbPassword), redisUri, poolSize);
  }

  static HikariDataSource pool(String name, String jdbcUrl, Credentials credentials, int size) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(jdbcUrl);
    config.setUsername(credentials.user());
    config.setPassword(credentials.password());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(size);
    config.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
    config.setMaxLifetime(0);
    config.setKeepaliveTime(0);
    // The driver then reads a statement's text once; what it sends stays the same.
    Map<String, String> settings = Map.of("cachePrepStmts", "true");
    config.setDataSource(new PromptConnections(jdbcUrl, settings, CONNECTION_TIMEOUT));
    return new HikariDataSource(config);
  }

  @Override
  public String jdbcUrl() {
    return pool.getJdbcUrl();
  }

  @Override
  public String dbUser() {
    return credentials.user();
  }

  @Override
  public String dbPassword() {
    return credentials.password();
  }

  @Override
  public String redisUri() {
    return redisUri;
  }

  @Override
  public HikariDataSource dataSource() {
    return pool;
  }

  @Override
  public void close() {
    pool.close();
  }
}
