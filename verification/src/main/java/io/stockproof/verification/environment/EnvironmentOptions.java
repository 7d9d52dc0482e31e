package io.stockproof.verification.environment;

import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import java.util.Optional;

/**
 * How to open an environment. Immutable; start from {@link #defaults()} or {@link #fromSettings()}.
 *
 * @param choice where the servers come from; {@link Choice#AUTO} by default
 * @param database which product is asked for; empty means MariaDB embedded, MySQL in containers
 * @param mysqlImage image of the MySQL container, {@code mysql:8.4} by default
 * @param mariadbImage image of the MariaDB container, {@code mariadb:11.4} by default
 * @param redisImage image of the Redis container, {@code redis:7.4} by default
 * @param durable whether commits wait for the disk; true by default
 * @param snapshotIsolation see {@link Environment#snapshotIsolation}; false by default
 * @param external servers that run already, for {@link Choice#EXTERNAL}
 */
public record EnvironmentOptions(
    Choice choice,
    Optional<Product> database,
    String mysqlImage,
    String mariadbImage,
    String redisImage,
    boolean durable,
    boolean snapshotIsolation,
    ExternalOptions external) {

  static final Setting CHOICE = new Setting("stockproof.environment");
  static final Setting DATABASE = new Setting("stockproof.database");
  static final Setting MYSQL_IMAGE = new Setting("stockproof.mysql.image");
  static final Setting MARIADB_IMAGE = new Setting("stockproof.mariadb.image");
  static final Setting REDIS_IMAGE = new Setting("stockproof.redis.image");

  /** Where the servers are to come from. */
  public enum Choice {
    /** Containers where a Docker engine answers and has or gets the images, else embedded. */
    AUTO,
    /** Processes of this machine, from binaries on the class path. */
    EMBEDDED,
    /** Docker containers. */
    CONTAINERS,
    /** Servers that run already. */
    EXTERNAL
  }

  /** The defaults, whatever is set. */
  public static EnvironmentOptions defaults() {
    return new EnvironmentOptions(
        Choice.AUTO,
        Optional.empty(),
        "mysql:8.4",
        "mariadb:11.4",
        "redis:7.4",
        true,
        false,
        ExternalOptions.NONE);
  }

  /**
   * The defaults, overridden by the system properties {@code stockproof.environment} (auto,
   * embedded, containers, external), {@code stockproof.database} (mysql, mariadb), {@code
   * stockproof.mysql.image}, {@code stockproof.mariadb.image} and {@code stockproof.redis.image};
   * each may also be given as an environment variable, for example {@code STOCKPROOF_ENVIRONMENT}.
   * Servers that run already are named by {@code stockproof.jdbc.url}, {@code stockproof.db.user},
   * {@code stockproof.db.password} and {@code stockproof.redis.uri}; an address means external
   * unless {@code stockproof.environment} says otherwise.
   *
   * @throws IllegalArgumentException naming the property, the value and what is allowed
   */
  public static EnvironmentOptions fromSettings() {
    EnvironmentOptions defaults = defaults();
    ExternalOptions external = ExternalOptions.fromSettings();
    return new EnvironmentOptions(
        CHOICE
            .choice(Choice.class)
            .orElse(external.namesServers() ? Choice.EXTERNAL : defaults.choice),
        DATABASE.choice(Product.class),
        MYSQL_IMAGE.text().orElse(defaults.mysqlImage),
        MARIADB_IMAGE.text().orElse(defaults.mariadbImage),
        REDIS_IMAGE.text().orElse(defaults.redisImage),
        defaults.durable,
        defaults.snapshotIsolation,
        external);
  }

  /** These options with the servers from elsewhere. */
  public EnvironmentOptions withChoice(Choice newChoice) {
    return new EnvironmentOptions(
        newChoice,
        database,
        mysqlImage,
        mariadbImage,
        redisImage,
        durable,
        snapshotIsolation,
        external);
  }

  /** These options with a certain database product. */
  public EnvironmentOptions withDatabase(Product product) {
    return new EnvironmentOptions(
        choice,
        Optional.of(product),
        mysqlImage,
        mariadbImage,
        redisImage,
        durable,
        snapshotIsolation,
        external);
  }

  /** These options with other images. */
  public EnvironmentOptions withImages(String mysql, String mariadb, String redis) {
    return new EnvironmentOptions(
        choice, database, mysql, mariadb, redis, durable, snapshotIsolation, external);
  }

  /** These options with commits that wait for the disk, or do not. */
  public EnvironmentOptions withDurable(boolean newDurable) {
    return new EnvironmentOptions(
        choice,
        database,
        mysqlImage,
        mariadbImage,
        redisImage,
        newDurable,
        snapshotIsolation,
        external);
  }

  /** These options with {@code innodb_snapshot_isolation} on or off. */
  public EnvironmentOptions withSnapshotIsolation(boolean on) {
    return new EnvironmentOptions(
        choice, database, mysqlImage, mariadbImage, redisImage, durable, on, external);
  }

  /** These options with other servers that run already; whether they are used is the choice's. */
  public EnvironmentOptions withExternal(ExternalOptions servers) {
    return new EnvironmentOptions(
        choice,
        database,
        mysqlImage,
        mariadbImage,
        redisImage,
        durable,
        snapshotIsolation,
        servers);
  }

  /** The product in containers: MySQL unless MariaDB is asked for. */
  Product containerProduct() {
    return database.orElse(Product.MYSQL);
  }

  /** The image of {@link #containerProduct()}. */
  String databaseImage() {
    return containerProduct() == Product.MYSQL ? mysqlImage : mariadbImage;
  }
}
