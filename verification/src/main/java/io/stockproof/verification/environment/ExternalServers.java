package io.stockproof.verification.environment;

import io.stockproof.verification.environment.Environment.DatabaseServer;
import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.environment.Environment.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Servers that run already, and go on running: there is no control over them, and nothing that
 * concerns them as a whole is changed.
 */
final class ExternalServers {

  private static final Logger LOG = LoggerFactory.getLogger(ExternalServers.class);

  private ExternalServers() {}

  /**
   * Connects to both, and marks what was empty as a run's own.
   *
   * @throws IllegalArgumentException if an address is missing or none
   * @throws EnvironmentException if they cannot be used, naming what to do instead
   */
  static RunningEnvironment connect(EnvironmentOptions options) {
    ExternalOptions given = options.external();
    JdbcAddress jdbc =
        JdbcAddress.parse(given(given.jdbcUrl(), "--jdbc-url", ExternalOptions.JDBC_URL));
    Credentials user =
        new Credentials(
            given(given.dbUser(), "--db-user", ExternalOptions.DB_USER), given.dbPassword());
    RedisAddress uri =
        RedisAddress.parse(given(given.redisUri(), "--redis-uri", ExternalOptions.REDIS_URI));
    ExternalDatabase database = ExternalDatabase.look(jdbc, user, given.useExisting());
    requireProduct(options, database.server());
    ExternalRedis redis = ExternalRedis.look(uri, given.useExisting());
    Runnable end =
        () -> {
          giveBack(database::giveBack);
          giveBack(redis::giveBack);
        };
    try {
      database.take();
      redis.take();
    } catch (EnvironmentException e) {
      end.run();
      throw e;
    }
    return new RunningEnvironment(
        new RunningEnvironment.Servers(
            Kind.EXTERNAL, redis.server(), database.server(), user, user, null, null, end),
        "%s:%d/%s and %s".formatted(jdbc.host(), jdbc.port(), jdbc.schema(), uri),
        options);
  }

  private static String given(String value, String option, Setting setting) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException(
          "servers that run already need %s (%s or %s)"
              .formatted(option, setting.property(), setting.variable()));
    }
    return value;
  }

  private static void requireProduct(EnvironmentOptions options, DatabaseServer server) {
    Product asked = options.database().orElse(server.product());
    if (asked != server.product()) {
      throw new EnvironmentException(
          "%s was asked for (%s), and the server is %s"
              .formatted(asked.title(), EnvironmentOptions.DATABASE.property(), server.title()));
    }
  }

  /** A run is over when this fails: what it found counts, and what is left is said. */
  private static void giveBack(Runnable store) {
    try {
      store.run();
    } catch (EnvironmentException e) {
      LOG.warn("tidied=false reason=\"{}\"", e.getMessage());
    }
  }
}
