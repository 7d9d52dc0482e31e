package io.stockproof.verification.wire;

import io.stockproof.verification.Endpoints;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.PooledEndpoints;
import java.net.InetSocketAddress;
import javax.sql.DataSource;

/**
 * Endpoints of one application instance that lead through a pair of proxies, so that whose command
 * it is is certain. Thread-safe.
 */
public final class ProxiedEndpoints implements Endpoints, AutoCloseable {
  private final WireProxy database;
  private final WireProxy redis;
  private final PooledEndpoints endpoints;
  private final int poolSize;

  /**
   * Starts both proxies and the pool.
   *
   * @param environment the servers; where they are is asked anew with each connection
   * @param label name of the instance
   * @param poolSize connections of {@link #dataSource}, 1 or more
   * @param traffic who decides about the commands; must let housekeeping of the pool pass
   * @throws IllegalArgumentException if the pool size is below 1
   */
  public ProxiedEndpoints(Environment environment, String label, int poolSize, Traffic traffic) {
    this.database =
        WireProxy.mysql(
            label,
            () ->
                new InetSocketAddress(environment.database().host(), environment.database().port()),
            traffic);
    this.redis =
        WireProxy.redis(
            label,
            () -> new InetSocketAddress(environment.redis().host(), environment.redis().port()),
            traffic);
    this.endpoints = pool(environment, poolSize);
    this.poolSize = poolSize;
  }

  private PooledEndpoints pool(Environment environment, int poolSize) {
    try {
      return environment.endpointsVia(database.address(), redis.address(), poolSize);
    } catch (RuntimeException e) {
      database.close();
      redis.close();
      throw e;
    }
  }

  /** Connections of {@link #dataSource}. */
  public int poolSize() {
    return poolSize;
  }

  /** The proxy in front of the database. */
  public WireProxy databaseProxy() {
    return database;
  }

  /** The proxy in front of Redis. */
  public WireProxy redisProxy() {
    return redis;
  }

  @Override
  public String jdbcUrl() {
    return endpoints.jdbcUrl();
  }

  @Override
  public String dbUser() {
    return endpoints.dbUser();
  }

  @Override
  public String dbPassword() {
    return endpoints.dbPassword();
  }

  @Override
  public String redisUri() {
    return endpoints.redisUri();
  }

  @Override
  public DataSource dataSource() {
    return endpoints.dataSource();
  }

  /** Closes the proxies first, so that nothing held keeps the pool from closing. */
  @Override
  public void close() {
    database.close();
    redis.close();
    endpoints.close();
  }
}
