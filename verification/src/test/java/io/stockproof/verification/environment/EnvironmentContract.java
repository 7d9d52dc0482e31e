package io.stockproof.verification.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What holds for every kind of environment. */
abstract class EnvironmentContract {

  abstract Environment environment();

  @Test
  void bothServersReportTheVersionsTheyAskOfTheServer() {
    assertThat(environment().redis().version()).matches("\\d+\\.\\d+\\.\\d+");
    assertThat(environment().database().version()).matches("\\d+\\.\\d+\\.\\d+");
    assertThat(environment().describe())
        .contains(environment().redis().version(), environment().database().title());
  }

  @Test
  void nobodyElseOnTheNetworkReachesTheServers() throws Exception {
    List<InetAddress> others =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
            .toList();
    for (InetAddress address : others) {
      for (int port : List.of(environment().redis().port(), environment().database().port())) {
        assertThatThrownBy(() -> connect(address, port))
            .as("%s:%d", address, port)
            .isInstanceOf(ConnectException.class);
      }
    }
  }

  private static void connect(InetAddress address, int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), 2000);
    }
  }

  @Test
  void theDurableSwitchShowsInTheServersVariables() throws Exception {
    String variable = "SELECT @@GLOBAL.innodb_flush_log_at_trx_commit";
    assertThat(Sql.value(environment().admin(), variable)).isEqualTo("1");
    environment().durable(false);
    assertThat(Sql.value(environment().admin(), variable)).isEqualTo("0");
    environment().durable(true);
    assertThat(Sql.value(environment().admin(), variable)).isEqualTo("1");
  }

  @Test
  void newSessionsAreSetLikeInProduction() throws Exception {
    try (PooledEndpoints endpoints = environment().endpoints(1)) {
      assertThat(
              Sql.value(
                  endpoints.dataSource(),
                  "SELECT CONCAT_WS(' ', @@transaction_isolation, @@autocommit + 0,"
                      + " @@max_connections >= 500, @@collation_database LIKE 'utf8mb4%',"
                      + " @@sql_mode LIKE '%STRICT_TRANS_TABLES%')"))
          .isEqualTo("REPEATABLE-READ 1 1 1 1");
    }
  }

  @Test
  void theApplicationMayDoAllInItsSchemaAndNothingOutside() throws Exception {
    try (PooledEndpoints endpoints = environment().endpoints(1)) {
      Sql.run(endpoints.dataSource(), "CREATE TABLE rights (id BIGINT PRIMARY KEY)");
      Sql.run(endpoints.dataSource(), "DROP TABLE rights");
      for (String forbidden :
          List.of(
              "CREATE DATABASE elsewhere",
              "SELECT COUNT(*) FROM mysql.user",
              "SET GLOBAL max_connections = 7",
              "SHOW ENGINE INNODB STATUS")) {
        assertThatThrownBy(() -> Sql.run(endpoints.dataSource(), forbidden))
            .as(forbidden)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("denied");
      }
    }
  }

  @Test
  void theAdminSeesAndEndsOtherSessions() throws Exception {
    Sql.run(environment().admin(), "SHOW ENGINE INNODB STATUS");
    try (PooledEndpoints endpoints = environment().endpoints(1)) {
      String id = Sql.value(endpoints.dataSource(), "SELECT CONNECTION_ID()");
      assertThat(
              Sql.value(
                  environment().admin(),
                  "SELECT USER FROM information_schema.PROCESSLIST WHERE ID = " + id))
          .isEqualTo(endpoints.dbUser());
      Sql.run(environment().admin(), "KILL " + id);
    }
    assertThat(Sql.value(environment().admin(), "SELECT DATABASE()"))
        .isEqualTo(environment().database().schema());
  }

  @Test
  void anInstanceGetsAPoolAndARedis() throws Exception {
    try (PooledEndpoints endpoints = environment().endpoints(3)) {
      assertThat(endpoints.dataSource()).isSameAs(endpoints.dataSource());
      assertThat(endpoints.dataSource().getMaximumPoolSize()).isEqualTo(3);
      assertThat(endpoints.dataSource().getMinimumIdle()).isEqualTo(3);
      assertThat(endpoints.jdbcUrl())
          .contains("/" + environment().database().schema())
          .doesNotContain(endpoints.dbPassword());
      RedisClient client = RedisClient.create(endpoints.redisUri());
      try (StatefulRedisConnection<String, String> connection = client.connect()) {
        assertThat(connection.sync().configGet("appendonly")).containsEntry("appendonly", "no");
        assertThat(connection.sync().configGet("save")).containsEntry("save", "");
      } finally {
        client.shutdown();
      }
    }
  }

  @Test
  void endpointsMayLeadThroughOtherAddresses() {
    int nobody = Loopback.freePort();
    InetSocketAddress proxy = InetSocketAddress.createUnresolved("127.0.0.1", nobody);
    assertThat(environment().database().jdbcUrl("127.0.0.1", nobody))
        .startsWith("jdbc:mysql://127.0.0.1:" + nobody + "/");
    assertThatCode(() -> environment().endpointsVia(proxy, proxy, 1).close())
        .hasMessageContaining("Communications link failure");
  }

  @Test
  void anEmptyPoolIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> environment().endpoints(0))
        .withMessage("poolSize must be 1 or more, was 0");
  }
}
