package io.stockproof.verification.environment;

import com.zaxxer.hikari.HikariDataSource;
import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Servers that run and accept connections, whoever started them. */
final class RunningEnvironment implements Environment {

  /** What the servers are, and how to end them. */
  record Servers(
      Kind kind,
      RedisServer redis,
      DatabaseServer database,
      Credentials application,
      Credentials admin,
      @Nullable ServerControl redisControl,
      @Nullable ServerControl databaseControl,
      Runnable stop) {}

  private static final int ADMIN_CONNECTIONS = 4;

  private final Servers servers;
  private final String reason;
  private final boolean mayBreakServers;
  private final HikariDataSource admin;
  private final Set<PooledEndpoints> opened = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  RunningEnvironment(Servers servers, String reason, EnvironmentOptions options) {
    this.servers = servers;
    this.reason = reason;
    this.mayBreakServers = servers.kind() != Kind.EXTERNAL || options.external().allowDestructive();
    try {
      this.admin =
          PooledEndpoints.pool(
              "stockproof-admin", servers.database().jdbcUrl(), servers.admin(), ADMIN_CONNECTIONS);
      durable(options.durable());
      snapshotIsolation(options.snapshotIsolation());
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public Kind kind() {
    return servers.kind();
  }

  @Override
  public RedisServer redis() {
    return servers.redis();
  }

  @Override
  public DatabaseServer database() {
    return servers.database();
  }

  @Override
  public PooledEndpoints endpointsVia(
      InetSocketAddress database, InetSocketAddress redis, int poolSize) {
    opened.removeIf(endpoints -> endpoints.dataSource().isClosed());
    String jdbcUrl = servers.database().jdbcUrl(database.getHostString(), database.getPort());
    PooledEndpoints endpoints =
        new PooledEndpoints(
            jdbcUrl,
            servers.application(),
            servers.redis().uri(redis.getHostString(), redis.getPort()),
            poolSize);
    opened.add(endpoints);
    return endpoints;
  }

  @Override
  public DataSource admin() {
    return admin;
  }

  @Override
  public void durable(boolean durable) {
    if (servers.kind() != Kind.EXTERNAL) {
      setGlobal("innodb_flush_log_at_trx_commit", durable ? "1" : "0");
    }
  }

  @Override
  public void snapshotIsolation(boolean on) {
    boolean mariaDb = servers.database().product() == Product.MARIADB;
    if (!mariaDb && on) {
      throw new UnsupportedOperationException(
          "innodb_snapshot_isolation is a variable of MariaDB; this is "
              + servers.database().title());
    }
    if (mariaDb && servers.kind() != Kind.EXTERNAL) {
      setGlobal("innodb_snapshot_isolation", on ? "ON" : "OFF");
    } else if (on && !snapshotIsolationIsOn()) {
      throw new UnsupportedOperationException(
          "innodb_snapshot_isolation is off on this server, and a server that was not started here"
              + " is left as it is");
    }
  }

  private boolean snapshotIsolationIsOn() {
    try (Connection connection = admin.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SHOW GLOBAL VARIABLES LIKE 'innodb_snapshot_isolation'")) {
      return row.next() && row.getString(2).equals("ON");
    } catch (SQLException e) {
      throw new EnvironmentException("could not read innodb_snapshot_isolation", e);
    }
  }

  private void setGlobal(String variable, String value) {
    try (Connection connection = admin.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET GLOBAL %s = %s".formatted(variable, value));
    } catch (SQLException e) {
      throw new EnvironmentException("could not set %s = %s".formatted(variable, value), e);
    }
  }

  @Override
  public Optional<ServerControl> redisControl() {
    return Optional.ofNullable(servers.redisControl());
  }

  @Override
  public Optional<ServerControl> databaseControl() {
    return Optional.ofNullable(servers.databaseControl());
  }

  @Override
  public boolean mayBreakServers() {
    return mayBreakServers;
  }

  @Override
  public String describe() {
    return "%s: Redis %s, %s (%s)"
        .formatted(
            servers.kind().name().toLowerCase(java.util.Locale.ROOT),
            servers.redis().version(),
            servers.database().title(),
            reason);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      opened.forEach(PooledEndpoints::close);
      if (admin != null) {
        admin.close();
      }
      servers.stop().run();
    }
  }
}
