package io.stockproof.verification.environment;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.stockproof.verification.environment.EnvironmentOptions.Choice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A JVM that opens an environment, prints what there is to vanish, and waits to be killed. */
final class OpensEnvironment {

  static final String MARK = "environment ";

  private OpensEnvironment() {}

  /** The kind of environment is the one argument. */
  public static void main(String[] arguments) throws Exception {
    Choice choice = Choice.valueOf(arguments[0]);
    Environment environment =
        Environments.open(EnvironmentOptions.fromSettings().withChoice(choice));
    List<String> facts =
        choice == Choice.EMBEDDED
            ? embedded(environment)
            : List.of(Long.toString(ProcessHandle.current().pid()));
    System.out.println(MARK + String.join(" ", facts));
    new CountDownLatch(1).await();
  }

  private static List<String> embedded(Environment environment) throws Exception {
    String data = Sql.value(environment.admin(), "SELECT @@datadir");
    String pid = Files.readString(Path.of(data, "mariadb.pid")).strip();
    RedisClient client = RedisClient.create(environment.redis().uri());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      String redis =
          connection
              .sync()
              .info("server")
              .lines()
              .filter(line -> line.startsWith("process_id:"))
              .map(line -> line.substring("process_id:".length()).strip())
              .findFirst()
              .orElseThrow();
      return List.of(pid, redis, data, connection.sync().configGet("dir").get("dir"));
    } finally {
      client.shutdown();
    }
  }
}
