package io.stockproof.verification.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** The proxies with MariaDB's driver, Jedis and Redisson. */
class OtherJavaClientsTest {
  private final Environment environment = Environments.shared();
  private final Scribe scribe = new Scribe();
  private final ProxiedEndpoints endpoints = new ProxiedEndpoints(environment, "A", 1, scribe);

  @AfterEach
  void close() {
    endpoints.close();
    for (WireProxy proxy : new WireProxy[] {endpoints.databaseProxy(), endpoints.redisProxy()}) {
      assertThat(proxy.counters().unmatched()).isZero();
      assertThat(proxy.counters().failures()).isZero();
    }
  }

  private Connection mariadb(String options) throws SQLException {
    String url = endpoints.jdbcUrl();
    String plain = "jdbc:mariadb:" + url.substring("jdbc:mysql:".length(), url.indexOf('?'));
    return DriverManager.getConnection(
        plain + "?sslMode=disable&allowPublicKeyRetrieval=true" + options,
        endpoints.dbUser(),
        endpoints.dbPassword());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "&useServerPrepStmts=true", "&useServerPrepStmts=true&useBulkStmts=true"})
  void mariadbConnector(String options) throws SQLException {
    try (Connection connection = mariadb(options);
        Statement sql = connection.createStatement()) {
      sql.execute("DROP TABLE IF EXISTS wire_maria");
      sql.execute("CREATE TABLE wire_maria (id INT PRIMARY KEY, v VARCHAR(20)) ENGINE=InnoDB");
      scribe.seen.clear();
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO wire_maria VALUES (?, ?)")) {
        for (int i = 1; i <= 50; i++) {
          insert.setInt(1, i);
          insert.setString(2, "v" + i);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      connection.commit();
      try (PreparedStatement select =
          connection.prepareStatement("SELECT v FROM wire_maria WHERE id = ?")) {
        select.setInt(1, 7);
        try (ResultSet rows = select.executeQuery()) {
          assertThat(rows.next()).isTrue();
          assertThat(rows.getString(1)).isEqualTo("v7");
        }
      }
    }
    assertThat(scribe.names()).contains("INSERT", "COMMIT", "SELECT");
    assertThat(scribe.names().stream().filter("INSERT"::equals)).hasSize(50);
    assertThat(scribe.replyTo(Scribe.named("SELECT")).values()).containsExactly("v7");
    if (!options.isEmpty()) {
      assertThat(scribe.seen.get(0).parameters()).containsExactly("1", "v1");
    }
    assertThat(endpoints.databaseProxy().counters().undecoded()).isZero();
  }

  @Test
  void mariadbConnectorIsToldOfFaults() throws SQLException {
    try (Connection connection = mariadb("&useServerPrepStmts=true");
        PreparedStatement select = connection.prepareStatement("SELECT ? + 1 FROM DUAL")) {
      select.setInt(1, 1);
      scribe.treat(Scribe.named("SELECT"), c -> c.answer(WireError.deadlock()));
      assertThatThrownBy(select::executeQuery)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1213));
      scribe.treat(Scribe.named("SELECT"), Command::cutBefore);
      assertThatThrownBy(select::executeQuery).isInstanceOf(SQLException.class);
    }
  }

  @Test
  void clientsThatInsistOnTlsAreToldClearly() {
    assertThatThrownBy(
            () ->
                DriverManager.getConnection(
                    endpoints.jdbcUrl().replace("sslMode=DISABLED", "sslMode=REQUIRED"),
                    endpoints.dbUser(),
                    endpoints.dbPassword()))
        .isInstanceOf(SQLException.class)
        .rootCause()
        .message()
        .containsIgnoringCase("SSL");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RESP2", "RESP3"})
  void jedis(String protocol) {
    try (Jedis jedis =
        new Jedis(
            new HostAndPort("127.0.0.1", endpoints.redisProxy().port()),
            DefaultJedisClientConfig.builder().protocol(RedisProtocol.valueOf(protocol)).build())) {
      jedis.del("wire:j");
      assertThat(jedis.incr("wire:j")).isEqualTo(1);
      String sha = jedis.scriptLoad("return redis.call('INCR', KEYS[1])");
      assertThat(jedis.evalsha(sha, 1, "wire:j")).isEqualTo(2L);
      var pipeline = jedis.pipelined();
      for (int i = 0; i < 500; i++) {
        pipeline.incr("wire:j");
      }
      assertThat(pipeline.syncAndReturnAll()).hasSize(500).last().isEqualTo(502L);
      scribe.treat(Scribe.named("EVALSHA"), c -> c.answer(WireError.noScript()));
      assertThatThrownBy(() -> jedis.evalsha(sha, 1, "wire:j"))
          .isInstanceOf(JedisDataException.class)
          .hasMessageStartingWith("NOSCRIPT");
      scribe.treat(Scribe.named("INCR"), Command::loseReply);
      assertThatThrownBy(() -> jedis.incr("wire:j")).isInstanceOf(JedisConnectionException.class);
    }
    assertThat(scribe.seen.get(2).keys()).containsExactly("wire:j");
  }

  @Test
  void redisson() throws Exception {
    Config config = new Config();
    config
        .useSingleServer()
        .setAddress("redis://127.0.0.1:" + endpoints.redisProxy().port())
        .setConnectionMinimumIdleSize(1)
        .setConnectionPoolSize(2);
    RedissonClient redisson = Redisson.create(config);
    try {
      var lock = redisson.getLock("wire:lock");
      assertThat(lock.tryLock(1, 5, TimeUnit.SECONDS)).isTrue();
      var waits = lock.tryLockAsync(5, 5, TimeUnit.SECONDS, 99).toCompletableFuture();
      lock.unlock();
      assertThat(waits.get(6, TimeUnit.SECONDS)).isTrue();
      lock.unlockAsync(99).toCompletableFuture().get(5, TimeUnit.SECONDS);
      redisson.getAtomicLong("wire:r").set(41);
      assertThat(redisson.getAtomicLong("wire:r").incrementAndGet()).isEqualTo(42);
    } finally {
      redisson.shutdown(0, 1, TimeUnit.SECONDS);
    }
    assertThat(scribe.names()).contains("EVALSHA", "INCR");
    assertThat(
            scribe.seen.stream().filter(Scribe.named("EVALSHA")).findFirst().orElseThrow().keys())
        .contains("wire:lock");
  }
}
