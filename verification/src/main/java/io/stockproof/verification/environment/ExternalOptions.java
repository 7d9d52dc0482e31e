package io.stockproof.verification.environment;

import java.util.Optional;
import java.util.function.Function;

/**
 * Servers that run already, and how far a run may go on them. Immutable; start from {@link #NONE}.
 * No address and no password ever appears in {@link #toString()}.
 *
 * @param jdbcUrl {@code jdbc:mysql://HOST[:PORT]/SCHEMA}, for MariaDB as well; empty if not given
 * @param dbUser who may do anything in the schema; empty if not given
 * @param dbPassword of the user; empty if there is none
 * @param redisUri {@code redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]}; empty if not given
 * @param useExisting whether a schema that has tables, or a Redis database that has keys, is used
 *     although they were not made by a run
 * @param allowDestructive whether a run may break the servers for everyone who uses them
 */
public record ExternalOptions(
    String jdbcUrl,
    String dbUser,
    String dbPassword,
    String redisUri,
    boolean useExisting,
    boolean allowDestructive) {

  /** No servers, nothing allowed. */
  public static final ExternalOptions NONE = new ExternalOptions("", "", "", "", false, false);

  /** Says on the command line and in settings that what is there may be used. */
  static final Setting USE_EXISTING = new Setting("stockproof.use-existing");

  static final Setting JDBC_URL = new Setting("stockproof.jdbc.url");
  static final Setting DB_USER = new Setting("stockproof.db.user");
  static final Setting REDIS_URI = new Setting("stockproof.redis.uri");
  private static final Setting DB_PASSWORD = new Setting("stockproof.db.password");
  private static final Setting ALLOW_DESTRUCTIVE = new Setting("stockproof.allow-destructive");

  /**
   * What the system properties {@code stockproof.jdbc.url}, {@code stockproof.db.user}, {@code
   * stockproof.db.password}, {@code stockproof.redis.uri}, {@code stockproof.use-existing} and
   * {@code stockproof.allow-destructive} say; each may also be given as an environment variable,
   * for example {@code STOCKPROOF_DB_PASSWORD}.
   *
   * @throws IllegalArgumentException if one of the last two is neither true nor false
   */
  static ExternalOptions fromSettings() {
    Function<Setting, String> text = setting -> setting.text().orElse("");
    return new ExternalOptions(
        text.apply(JDBC_URL),
        text.apply(DB_USER),
        text.apply(DB_PASSWORD),
        text.apply(REDIS_URI),
        USE_EXISTING.flag(),
        ALLOW_DESTRUCTIVE.flag());
  }

  /** The same with those addresses and credentials that are given here. */
  public ExternalOptions withServers(
      Optional<String> newJdbcUrl,
      Optional<String> newDbUser,
      Optional<String> newDbPassword,
      Optional<String> newRedisUri) {
    return new ExternalOptions(
        newJdbcUrl.orElse(jdbcUrl),
        newDbUser.orElse(dbUser),
        newDbPassword.orElse(dbPassword),
        newRedisUri.orElse(redisUri),
        useExisting,
        allowDestructive);
  }

  /** The same, and tables and keys that are there do not matter. */
  public ExternalOptions usingExisting() {
    return new ExternalOptions(jdbcUrl, dbUser, dbPassword, redisUri, true, allowDestructive);
  }

  /** The same, and the servers may be broken for everyone who uses them. */
  public ExternalOptions allowingDestructive() {
    return new ExternalOptions(jdbcUrl, dbUser, dbPassword, redisUri, useExisting, true);
  }

  /** Whether an address is given. */
  boolean namesServers() {
    return !jdbcUrl.isEmpty() || !redisUri.isEmpty();
  }

  @Override
  public String toString() {
    return "ExternalOptions[namesServers=%s, useExisting=%s, allowDestructive=%s]"
        .formatted(namesServers(), useExisting, allowDestructive);
  }
}
