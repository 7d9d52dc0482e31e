package io.stockproof.verification.environment;

import io.stockproof.verification.environment.Environment.DatabaseServer;
import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.environment.Environment.Kind;
import io.stockproof.verification.environment.Environment.RedisServer;

/** Redis and MariaDB as processes of this machine: no Docker, no root, nothing installed. */
final class EmbeddedServers {

  private EmbeddedServers() {}

  /**
   * Starts both.
   *
   * @throws IllegalArgumentException if MySQL is asked for
   * @throws EnvironmentException if there are no binaries for this platform or a server does not
   *     come up
   */
  static RunningEnvironment.Servers start(EnvironmentOptions options) {
    if (options.database().filter(Product.MYSQL::equals).isPresent()) {
      throw new IllegalArgumentException(
          "%s must be mariadb where %s is embedded, was 'mysql': MySQL runs in containers only"
              .formatted(
                  EnvironmentOptions.DATABASE.property(), EnvironmentOptions.CHOICE.property()));
    }
    Platform platform = Platform.current();
    BinaryCache cache = BinaryCache.ofThisUser();
    EmbeddedRedis redisLaunch = EmbeddedRedis.prepare(cache, platform);
    EmbeddedMariaDb databaseLaunch =
        new EmbeddedMariaDb(
            MariaDbBinaries.prepare(cache, platform), SchemaSetup.withRandomPasswords());
    EmbeddedServer redis = EmbeddedServer.start(redisLaunch);
    try {
      EmbeddedServer database = EmbeddedServer.start(databaseLaunch);
      return servers(redis, database, databaseLaunch);
    } catch (RuntimeException e) {
      redis.close();
      throw e;
    }
  }

  private static RunningEnvironment.Servers servers(
      EmbeddedServer redis, EmbeddedServer database, EmbeddedMariaDb launch) {
    return new RunningEnvironment.Servers(
        Kind.EMBEDDED,
        new RedisServer(Loopback.HOST, redis.port(), redis.version()),
        new DatabaseServer(
            Product.MARIADB,
            database.version(),
            Loopback.HOST,
            database.port(),
            launch.setup().schema()),
        launch.setup().application(),
        launch.setup().admin(),
        redis,
        database,
        () -> {
          redis.close();
          database.close();
        });
  }
}
