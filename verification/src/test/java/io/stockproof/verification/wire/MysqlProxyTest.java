package io.stockproof.verification.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.jdbc.JdbcConnection;
import com.mysql.cj.jdbc.JdbcStatement;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The MySQL proxy with Connector/J. */
class MysqlProxyTest {
  private final Environment environment = Environments.shared();
  private final Scribe scribe = new Scribe();
  private final ProxiedEndpoints endpoints = new ProxiedEndpoints(environment, "A", 2, scribe);
  private final WireProxy proxy = endpoints.databaseProxy();

  @BeforeEach
  void table() throws SQLException {
    admin("DROP TABLE IF EXISTS wire_row");
    admin(
        "CREATE TABLE wire_row (id BIGINT PRIMARY KEY, name VARCHAR(100), at DATETIME(6),"
            + " big LONGBLOB) ENGINE=InnoDB");
  }

  private void admin(String text) throws SQLException {
    try (Connection admin = environment.admin().getConnection();
        Statement sql = admin.createStatement()) {
      sql.execute(text);
    }
  }

  @AfterEach
  void close() {
    endpoints.close();
    assertThat(proxy.counters().unmatched()).isZero();
    assertThat(proxy.counters().undecoded()).isZero();
    assertThat(proxy.counters().failures()).isZero();
  }

  private Connection open(String options) throws SQLException {
    return DriverManager.getConnection(
        endpoints.jdbcUrl() + options, endpoints.dbUser(), endpoints.dbPassword());
  }

  @Test
  void seesTextStatements() throws SQLException {
    try (Connection connection = endpoints.dataSource().getConnection();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO wire_row (id, name) VALUES (?, ?)")) {
      connection.setAutoCommit(false);
      insert.setLong(1, 1);
      insert.setString(2, "x");
      assertThat(insert.executeUpdate()).isEqualTo(1);
      connection.commit();
    }
    assertThat(scribe.names()).containsExactly("INSERT", "COMMIT");
    assertThat(scribe.seen.get(0).statement())
        .isEqualTo("INSERT INTO wire_row (id, name) VALUES (1, 'x')");
    assertThat(scribe.seen.get(0).inTransaction()).isTrue();
    assertThat(scribe.seen.get(0).serverConnectionId()).isPositive();
    assertThat(scribe.replyTo(Scribe.named("INSERT")).affectedRows()).isEqualTo(1);
    assertThat(proxy.counters().pipelined()).isZero();
  }

  @Test
  void seesServerSidePreparedStatementsWithTheirParameters() throws SQLException {
    try (Connection connection = open("&useServerPrepStmts=true&cachePrepStmts=true")) {
      for (int i = 1; i <= 3; i++) {
        try (PreparedStatement insert =
            connection.prepareStatement("INSERT INTO wire_row (id, name, at) VALUES (?, ?, ?)")) {
          insert.setLong(1, i);
          insert.setString(2, i == 2 ? null : "n" + i);
          insert.setObject(3, java.time.LocalDateTime.of(2026, 1, 2, 3, 4, 5, 6000));
          insert.executeUpdate();
        }
      }
      try (PreparedStatement select =
          connection.prepareStatement("SELECT id, name, at FROM wire_row WHERE id = ?")) {
        select.setLong(1, 3);
        assertThat(select.executeQuery().next()).isTrue();
      }
    }
    assertThat(scribe.names()).containsExactly("INSERT", "INSERT", "INSERT", "SELECT");
    assertThat(scribe.seen.get(0).statement()).contains("VALUES (?, ?, ?)");
    assertThat(scribe.seen.get(0).parameters())
        .containsExactly("1", "n1", "2026-01-02 03:04:05.000006");
    assertThat(scribe.seen.get(1).parameters()).startsWith("2", "NULL");
    assertThat(scribe.replyTo(Scribe.named("SELECT")).values())
        .containsExactly("3", "n3", "2026-01-02 03:04:05.000006");
    assertThat(scribe.seen.get(0).inTransaction()).isFalse();
  }

  @Test
  void heldStatementsHappenWhenForwarded() throws Exception {
    try (Connection connection = endpoints.dataSource().getConnection()) {
      scribe.hold(Scribe.named("INSERT"));
      CompletableFuture<Integer> insert =
          CompletableFuture.supplyAsync(
              () -> update(connection, "INSERT INTO wire_row (id) VALUES (5)"));
      Command held = scribe.nextHeld();
      assertThat(rows()).isZero();
      assertThat(insert.isDone()).isFalse();
      held.forward();
      assertThat(insert.get(5, TimeUnit.SECONDS)).isEqualTo(1);
      assertThat(rows()).isEqualTo(1);
    }
  }

  @Test
  void multiStatementsAnswerOnce() throws SQLException {
    try (Connection connection = open("&allowMultiQueries=true");
        Statement sql = connection.createStatement()) {
      sql.execute(
          "INSERT INTO wire_row (id) VALUES (1); SELECT id FROM wire_row; UPDATE wire_row SET name ="
              + " 'm'");
      assertThat(sql.getMoreResults()).isTrue();
      assertThat(sql.getMoreResults()).isFalse();
      assertThat(sql.getUpdateCount()).isEqualTo(1);
    }
    assertThat(scribe.names()).containsExactly("INSERT");
    assertThat(scribe.answered.stream().filter(a -> a.command() == scribe.seen.get(0))).hasSize(1);
    assertThat(proxy.counters().pipelined()).isZero();
  }

  @Test
  void packetsBeyond16MegabytesPassUntouched() throws SQLException {
    byte[] big = new byte[17 << 20];
    for (int i = 0; i < big.length; i++) {
      big[i] = (byte) (i * 31);
    }
    admin("SET GLOBAL max_allowed_packet = 134217728");
    for (String options : new String[] {"", "&useServerPrepStmts=true"}) {
      try (Connection connection = open(options)) {
        try (PreparedStatement insert =
            connection.prepareStatement("REPLACE INTO wire_row (id, big) VALUES (1, ?)")) {
          insert.setBytes(1, big);
          insert.executeUpdate();
        }
        try (Statement sql = connection.createStatement();
            ResultSet rows = sql.executeQuery("SELECT big, 7 FROM wire_row")) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getBytes(1)).isEqualTo(big);
          assertThat(rows.getInt(2)).isEqualTo(7);
        }
      }
    }
    admin("SET GLOBAL max_allowed_packet = DEFAULT");
    assertThat(proxy.counters().pipelined()).isZero();
  }

  @Test
  void largeResultSetsAndCursorsPassUntouched() throws SQLException {
    String series =
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT a.i"
            + " FROM n a JOIN n b ON b.i <= 50";
    for (String options : new String[] {"", "&useCursorFetch=true&defaultFetchSize=1000"}) {
      try (Connection connection = open(options);
          PreparedStatement select = connection.prepareStatement(series);
          ResultSet rows = select.executeQuery()) {
        int count = 0;
        while (rows.next()) {
          count++;
        }
        assertThat(count).isEqualTo(45_000);
      }
    }
    assertThat(scribe.replyTo(Scribe.named("WITH")).error()).isFalse();
    assertThat(proxy.counters().pipelined()).isZero();
  }

  /** The client's packets of a file are no commands, also when their numbers start again at 0. */
  @Test
  void filesOfTheClientPassUntouched() throws SQLException {
    admin("SET GLOBAL local_infile = ON");
    StringBuilder file = new StringBuilder();
    for (int i = 1; i <= 60_000; i++) {
      file.append(i).append(',').append("name ".repeat(15)).append(i).append('\n');
    }
    try (Connection connection = open("&allowLoadLocalInfile=true");
        Statement sql = connection.createStatement()) {
      sql.unwrap(JdbcStatement.class)
          .setLocalInfileInputStream(
              new ByteArrayInputStream(file.toString().getBytes(StandardCharsets.UTF_8)));
      sql.execute(
          "LOAD DATA LOCAL INFILE 'rows.csv' INTO TABLE wire_row FIELDS TERMINATED BY ',' (id,"
              + " name)");
      assertThat(connection.isValid(1)).isTrue();
    }
    assertThat(rows()).isEqualTo(60_000);
    assertThat(scribe.replyTo(Scribe.named("LOAD")).affectedRows()).isEqualTo(60_000);
    assertThat(scribe.names()).containsExactly("LOAD");
  }

  @Test
  void changingTheUserPasses() throws SQLException {
    try (Connection connection = open("")) {
      connection
          .unwrap(JdbcConnection.class)
          .changeUser(endpoints.dbUser(), endpoints.dbPassword());
      assertThat(connection.isValid(1)).isTrue();
    }
    assertThat(scribe.passed).extracting(Command::name).contains("CHANGE_USER");
  }

  @Test
  void errorsOfTheServerAreTold() throws SQLException {
    try (Connection connection = endpoints.dataSource().getConnection()) {
      update(connection, "INSERT INTO wire_row (id) VALUES (1)");
      assertThat(
              CompletableFuture.supplyAsync(
                  () -> update(connection, "INSERT INTO wire_row (id) VALUES (1)")))
          .failsWithin(5, TimeUnit.SECONDS);
    }
    assertThat(scribe.replyTo(Scribe.named("INSERT")).code()).isEqualTo(1062);
  }

  private long rows() throws SQLException {
    try (Connection admin = environment.admin().getConnection();
        Statement sql = admin.createStatement();
        ResultSet count = sql.executeQuery("SELECT COUNT(*) FROM wire_row")) {
      count.next();
      return count.getLong(1);
    }
  }

  private static int update(Connection connection, String text) {
    try (Statement sql = connection.createStatement()) {
      return sql.executeUpdate(text);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
