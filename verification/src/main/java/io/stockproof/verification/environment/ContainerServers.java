package io.stockproof.verification.environment;

import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import com.redis.testcontainers.RedisContainer;
import io.stockproof.verification.environment.Environment.DatabaseServer;
import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.environment.Environment.Kind;
import io.stockproof.verification.environment.Environment.RedisServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.JdbcDatabaseContainer;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.mariadb.MariaDBContainer;
import org.testcontainers.mysql.MySQLContainer;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.TestcontainersConfiguration;

/** Redis and MySQL or MariaDB in containers of Testcontainers. */
final class ContainerServers {

  private static final int REDIS_PORT = 6379;
  private static final int DATABASE_PORT = 3306;
  private static final Duration ANSWERS = Duration.ofSeconds(5);
  private static final Duration REACHED_WITHIN = Duration.ofMillis(500);
  private static final String LABEL = "io.stockproof.run";
  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1");

  private final DockerEngine engine;
  private final EnvironmentOptions options;
  private final SchemaSetup setup = SchemaSetup.withRandomPasswords();
  private final String run = UUID.randomUUID().toString();
  private final Credentials root = Credentials.random("root");

  private ContainerServers(DockerEngine engine, EnvironmentOptions options) {
    this.engine = engine;
    this.options = options;
  }

  /**
   * Starts both.
   *
   * @throws EnvironmentException if a container does not come up
   */
  static RunningEnvironment.Servers start(DockerEngine engine, EnvironmentOptions options) {
    // In memory only. The checks would load one more image where it is not there.
    TestcontainersConfiguration.getInstance()
        .getUserProperties()
        .setProperty("checks.disable", "true");
    return new ContainerServers(engine, options).start();
  }

  private RunningEnvironment.Servers start() {
    RedisContainer redis =
        new RedisContainer(
            DockerImageName.parse(options.redisImage()).asCompatibleSubstituteFor("redis"));
    redis.withCommand("redis-server", "--save", "", "--appendonly", "no");
    JdbcDatabaseContainer<?> database = databaseContainer();
    ContainerGuard guard = ContainerGuard.of(engine, LABEL + "=" + run);
    try {
      publish(redis, REDIS_PORT);
      publish(database, DATABASE_PORT);
      Startables.deepStart(redis, database).join();
      return servers(redis, database, guard);
    } catch (CompletionException | IllegalStateException | IOException | SQLException e) {
      redis.stop();
      database.stop();
      guard.close();
      throw new EnvironmentException(
          "containers of %s and %s did not come up: %s"
              .formatted(options.redisImage(), options.databaseImage(), e.getMessage()),
          e);
    }
  }

  private JdbcDatabaseContainer<?> databaseContainer() {
    DockerImageName image = DockerImageName.parse(options.databaseImage());
    boolean mysql = options.containerProduct() == Product.MYSQL;
    JdbcDatabaseContainer<?> container =
        mysql
            ? new MySQLContainer(image.asCompatibleSubstituteFor("mysql"))
            : new MariaDBContainer(image.asCompatibleSubstituteFor("mariadb"));
    container.withUsername(root.user()).withPassword(root.password());
    container.withCommand(
        mysql ? "mysqld" : "mariadbd",
        "--skip-name-resolve",
        "--skip-log-bin",
        "--max-connections=1000",
        "--character-set-server=utf8mb4",
        "--default-time-zone=+00:00",
        "--transaction-isolation=REPEATABLE-READ",
        "--innodb-buffer-pool-size=128M");
    return container;
  }

  /** Containers of this machine are for this machine only. */
  private void publish(GenericContainer<?> container, int port) {
    container.withLabel(LABEL, run);
    container.withLabel("io.stockproof.pid", Long.toString(ProcessHandle.current().pid()));
    if (onThisMachine()) {
      // Chosen here, so that it is the same after the container was killed and started again.
      PortBinding binding =
          new PortBinding(
              Ports.Binding.bindIpAndPort(Loopback.HOST, Loopback.freePort()),
              ExposedPort.tcp(port));
      container.withCreateContainerCmdModifier(
          command -> {
            if (command.getHostConfig() != null) {
              command.getHostConfig().withPortBindings(binding);
            }
          });
    }
  }

  private boolean onThisMachine() {
    String override = System.getenv().getOrDefault("TESTCONTAINERS_HOST_OVERRIDE", "localhost");
    return engine.local()
        && THIS_MACHINE.contains(override)
        && (System.getenv("TESTCONTAINERS_HOST_OVERRIDE") != null
            || !Files.exists(Path.of("/.dockerenv")));
  }

  private RunningEnvironment.Servers servers(
      RedisContainer redis, JdbcDatabaseContainer<?> database, ContainerGuard guard)
      throws IOException, SQLException {
    InetSocketAddress redisAt = address(redis, REDIS_PORT);
    InetSocketAddress databaseAt = address(database, DATABASE_PORT);
    String redisHost = redisAt.getHostString();
    int redisPort = redisAt.getPort();
    DatabaseServer server =
        new DatabaseServer(
            options.containerProduct(),
            "",
            databaseAt.getHostString(),
            databaseAt.getPort(),
            setup.schema());
    setUp(server);
    return new RunningEnvironment.Servers(
        Kind.CONTAINERS,
        new RedisServer(redisHost, redisPort, RedisProbe.version(redisHost, redisPort, ANSWERS)),
        server.withVersion(DatabaseProbe.version(server.jdbcUrl(), setup.admin())),
        setup.application(),
        setup.admin(),
        onThisMachine() ? control(redis, redisHost, redisPort) : null,
        onThisMachine() ? control(database, server) : null,
        () -> {
          redis.stop();
          database.stop();
          guard.close();
        });
  }

  /** What it had saved is loaded once it runs, and must not come back a second time. */
  private static ServerControl control(GenericContainer<?> redis, String host, int port) {
    return new ContainerControl(
        redis, "redis", () -> RedisProbe.version(host, port, ANSWERS), "rm", "-f", "dump.rdb");
  }

  private ServerControl control(GenericContainer<?> database, DatabaseServer server) {
    return new ContainerControl(
        database, "the database", () -> DatabaseProbe.version(server.jdbcUrl(), setup.admin()));
  }

  private void setUp(DatabaseServer server) throws SQLException {
    String url = server.jdbcUrl().replace("/" + setup.schema() + "?", "/?");
    try (Connection connection = DriverManager.getConnection(url, root.user(), root.password());
        Statement statement = connection.createStatement()) {
      for (String sql : setup.statements()) {
        statement.execute(sql);
      }
    }
  }

  /**
   * Where the server is found: in its container itself where this machine reaches it, for a
   * published port costs a process more on the way; else at that port.
   */
  private InetSocketAddress address(GenericContainer<?> container, int port) {
    if (onThisMachine()) {
      for (ContainerNetwork network :
          container.getContainerInfo().getNetworkSettings().getNetworks().values()) {
        InetSocketAddress inside = new InetSocketAddress(network.getIpAddress(), port);
        if (accepts(inside)) {
          return inside;
        }
      }
    }
    String host = container.getHost();
    return InetSocketAddress.createUnresolved(
        host.equals("localhost") ? Loopback.HOST : host, container.getMappedPort(port));
  }

  private static boolean accepts(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, (int) REACHED_WITHIN.toMillis());
      return true;
    } catch (IOException unreachable) {
      return false;
    }
  }
}
