package io.stockproof.verification.environment;

import java.net.InetSocketAddress;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * One Redis and one MySQL-compatible server for a run. Methods may be called from any thread; close
 * once, at the end: servers that this environment started are gone afterwards.
 */
public interface Environment extends AutoCloseable {

  /** Where the servers come from. */
  enum Kind {
    EMBEDDED,
    CONTAINERS,
    EXTERNAL
  }

  /** Where the servers come from. */
  Kind kind();

  /** The Redis server. */
  RedisServer redis();

  /** The database server. */
  DatabaseServer database();

  /**
   * New endpoints straight to the servers for one application instance. The caller may close them;
   * those left open are closed with this environment.
   *
   * @param poolSize connections of {@link PooledEndpoints#dataSource()}, 1 or more
   * @throws IllegalArgumentException if the pool size is below 1
   */
  default PooledEndpoints endpoints(int poolSize) {
    return endpointsVia(
        new InetSocketAddress(database().host(), database().port()),
        new InetSocketAddress(redis().host(), redis().port()),
        poolSize);
  }

  /**
   * As {@link #endpoints}, to these addresses: for what stands between an instance and the servers,
   * such as a proxy. The same user, password and schema.
   *
   * @param database what listens for the MySQL protocol
   * @param redis what listens for the Redis protocol
   * @param poolSize connections of {@link PooledEndpoints#dataSource()}, 1 or more
   * @throws IllegalArgumentException if the pool size is below 1
   */
  PooledEndpoints endpointsVia(InetSocketAddress database, InetSocketAddress redis, int poolSize);

  /**
   * Connections of the verifier itself, as a user who may do anything, in the schema: a small pool
   * of its own, never through a proxy. Owned by this environment.
   */
  DataSource admin();

  /**
   * Whether commits wait for the disk, as in production (the default). May be switched between
   * runs. Servers that run already ({@link Kind#EXTERNAL}) are left as they are.
   */
  void durable(boolean durable);

  /**
   * Whether new sessions run with {@code innodb_snapshot_isolation} (MariaDB only): an update of a
   * row that changed after the snapshot then fails with error 1020 instead of overwriting. Off by
   * default, as in MySQL. Servers that run already ({@link Kind#EXTERNAL}) are left as they are.
   *
   * @throws UnsupportedOperationException if it is to be on and the server is MySQL, or one that
   *     runs already with it off
   */
  void snapshotIsolation(boolean on);

  /** Power over the Redis server; empty if this environment did not start it. */
  default Optional<ServerControl> redisControl() {
    return Optional.empty();
  }

  /** Power over the database server; empty if this environment did not start it. */
  default Optional<ServerControl> databaseControl() {
    return Optional.empty();
  }

  /**
   * Whether the servers may be broken for everyone who uses them: they were started here, or
   * whoever runs them allows it ({@link ExternalOptions#allowDestructive}).
   */
  default boolean mayBreakServers() {
    return kind() != Kind.EXTERNAL;
  }

  /** One line for people: kind, versions, and why this kind was chosen. */
  String describe();

  @Override
  void close();

  /**
   * A Redis server. The login never appears in {@link #toString()}.
   *
   * @param host name or address
   * @param port TCP port
   * @param version as the server says, for example {@code 7.0.15}
   * @param login {@code user:password} or {@code :password} as in a URI; empty where none is asked
   *     for
   * @param database number of the logical database, 0 or more
   */
  record RedisServer(String host, int port, String version, String login, int database) {

    /** One that asks for no password, and its first database. */
    public RedisServer(String host, int port, String version) {
      this(host, port, version, "", 0);
    }

    /** {@code redis://host:port}, with the login and the database number if there are such. */
    public String uri() {
      return uri(host, port);
    }

    /** The same at another address, such as a proxy's. */
    public String uri(String atHost, int atPort) {
      return "redis://%s%s:%d%s"
          .formatted(
              login.isEmpty() ? "" : login + "@",
              atHost,
              atPort,
              database == 0 ? "" : "/" + database);
    }

    @Override
    public String toString() {
      return "Redis %s at %s:%d/%d".formatted(version, host, port, database);
    }
  }

  /**
   * A database server.
   *
   * @param product which dialect it speaks
   * @param version as the server says, for example {@code 11.4.5}
   * @param host name or address
   * @param port TCP port
   * @param schema schema of the run
   */
  record DatabaseServer(Product product, String version, String host, int port, String schema) {

    /** Which dialect a server speaks. */
    public enum Product {
      MYSQL("MySQL"),
      MARIADB("MariaDB");

      private final String title;

      Product(String title) {
        this.title = title;
      }

      /** As its makers write it. */
      public String title() {
        return title;
      }
    }

    /** This server, now that its version is known. */
    DatabaseServer withVersion(String newVersion) {
      return new DatabaseServer(product, newVersion, host, port, schema);
    }

    /** JDBC URL of the schema on this server, without credentials. */
    public String jdbcUrl() {
      return jdbcUrl(host, port);
    }

    /**
     * JDBC URL of the schema at another address, such as a proxy's, without credentials.
     * Connector/J for both products, so that runs compare; in the clear, so that a proxy can read
     * along. Public key retrieval is what {@code caching_sha2_password} needs without TLS.
     */
    public String jdbcUrl(String atHost, int atPort) {
      return "jdbc:mysql://%s:%d/%s".formatted(atHost, atPort, schema)
          + "?sslMode=DISABLED&allowPublicKeyRetrieval=true&connectionTimeZone=UTC";
    }

    /** For example {@code MariaDB 11.4.5}. */
    public String title() {
      return product.title() + " " + version;
    }
  }
}
