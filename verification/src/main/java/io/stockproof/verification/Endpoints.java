package io.stockproof.verification;

import javax.sql.DataSource;

/**
 * Where one application instance finds its stores: straight to the servers, or through the wire
 * proxies.
 */
public interface Endpoints {

  /** JDBC URL of the schema, without credentials. */
  String jdbcUrl();

  /** Database user of the application; has all rights on the schema and none outside. */
  String dbUser();

  /** Password of {@link #dbUser()}. */
  String dbPassword();

  /** URI of the Redis server, {@code redis://host:port}. */
  String redisUri();

  /**
   * A pool of connections to {@link #jdbcUrl()} for this instance; the same object on each call.
   * Closed by whoever made these endpoints, after the instance.
   */
  DataSource dataSource();
}
