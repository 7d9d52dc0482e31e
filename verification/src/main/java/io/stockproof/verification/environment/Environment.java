package io.stockproof.verification.environment;

import io.stockproof.verification.Endpoints;
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
   * New endpoints straight to the servers for one application instance.
   *
   * @param poolSize most connections of {@link Endpoints#dataSource()}, 1 or more
   */
  Endpoints endpoints(int poolSize);

  /**
   * Connections of the verifier itself, as a user who may do anything, in the schema. Owned by this
   * environment.
   */
  DataSource admin();

  /**
   * Whether commits wait for the disk, as in production (the default). May be switched between
   * runs.
   */
  void durable(boolean durable);

  /** One line for people: kind, versions, and why this kind was chosen. */
  String describe();

  @Override
  void close();

  /**
   * A Redis server.
   *
   * @param host name or address
   * @param port TCP port
   * @param version as the server says, for example {@code 7.0.15}
   */
  record RedisServer(String host, int port, String version) {
    /** {@code redis://host:port}. */
    public String uri() {
      return "redis://" + host + ":" + port;
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

    /** For example {@code MariaDB 11.4.5}. */
    public String title() {
      return product.title() + " " + version;
    }
  }
}
