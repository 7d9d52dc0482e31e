package io.stockproof.verification.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Servers of its own: what is done to them would disturb the other tests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ServerControlContract {
  private Environment environment;
  private ServerControl redis;
  private ServerControl database;

  /** Which servers. */
  abstract EnvironmentOptions options();

  @BeforeAll
  void open() {
    environment = Environments.open(options());
    redis = environment.redisControl().orElseThrow();
    database = environment.databaseControl().orElseThrow();
  }

  @AfterEach
  void allIsAsBefore() {
    redis.start();
    redis.thaw();
    database.start();
    database.thaw();
  }

  @AfterAll
  void close() {
    if (environment != null) {
      environment.close();
    }
  }

  private @Nullable String ask(
      Duration patience, Function<RedisCommands<String, String>, @Nullable String> question) {
    RedisURI uri = RedisURI.create(environment.redis().uri());
    uri.setTimeout(patience);
    RedisClient client = RedisClient.create(uri);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      return question.apply(connection.sync());
    } finally {
      client.shutdown();
    }
  }

  private @Nullable String ask(Function<RedisCommands<String, String>, @Nullable String> question) {
    return ask(Duration.ofSeconds(20), question);
  }

  @Test
  void a_frozen_redis_answers_nothing_until_it_is_thawed() {
    redis.freeze();
    assertThat(redis.running()).isTrue();
    assertThatThrownBy(() -> ask(Duration.ofMillis(300), RedisCommands::ping))
        .hasRootCauseInstanceOf(RedisCommandTimeoutException.class);

    redis.thaw();
    assertThat(ask(RedisCommands::ping)).isEqualTo("PONG");
  }

  @Test
  void a_killed_redis_comes_back_empty_where_it_was() {
    int port = environment.redis().port();
    ask(it -> it.set("key", "value"));

    redis.kill();
    assertThat(redis.running()).isFalse();
    redis.start();

    assertThat(environment.redis().port()).isEqualTo(port);
    assertThat(ask(it -> it.get("key"))).isNull();
  }

  @Test
  void what_redis_saved_is_there_after_one_start_and_gone_after_the_next() {
    ask(it -> it.set("key", "value"));
    ask(RedisCommands::save);

    redis.kill();
    redis.start();
    assertThat(ask(it -> it.get("key"))).isEqualTo("value");

    redis.kill();
    redis.start();
    assertThat(ask(it -> it.get("key"))).isNull();
  }

  /**
   * Attempts of the driver are counted: a pool alone would make the ninth after 2.5 s. Without a
   * limit to each, one to the address of a container that is gone takes the kernel 3 s.
   */
  @Test
  void whoeverConnectsWhileTheDatabaseIsAwayTriesAgainSoon() throws Exception {
    try (PooledEndpoints endpoints = environment.endpoints(1)) {
      PromptConnections source =
          new PromptConnections(
              endpoints.jdbcUrl(), Map.of("connectTimeout", "200"), Duration.ofSeconds(60));
      database.kill();
      CompletableFuture<String> connected =
          CompletableFuture.supplyAsync(
              () -> {
                try (Connection c =
                    source.getConnection(endpoints.dbUser(), endpoints.dbPassword())) {
                  return c.getCatalog();
                } catch (SQLException failed) {
                  throw new IllegalStateException(failed);
                }
              });
      await().until(() -> source.failures() > 10);
      assertThat(connected).isNotDone();
      database.start();

      assertThat(connected.get(60, TimeUnit.SECONDS)).isNotEmpty();
    }
  }

  @Test
  void whoeverIsRefusedByTheDatabaseIsToldAtOnce() {
    try (PooledEndpoints endpoints = environment.endpoints(1)) {
      PromptConnections source =
          new PromptConnections(endpoints.jdbcUrl(), Map.of(), Duration.ofDays(1));

      assertThatThrownBy(() -> source.getConnection(endpoints.dbUser(), "wrong"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("Access denied");
      assertThat(source.failures()).isEqualTo(1);
    }
  }

  @Test
  void a_killed_database_comes_back_with_what_was_committed() throws Exception {
    Sql.run(environment.admin(), "CREATE TABLE kept (id BIGINT PRIMARY KEY)");
    Sql.run(environment.admin(), "INSERT INTO kept VALUES (7)");

    database.kill();
    database.start();

    assertThat(Sql.value(environment.admin(), "SELECT id FROM kept")).isEqualTo("7");
    try (PooledEndpoints endpoints = environment.endpoints(1)) {
      assertThat(Sql.value(endpoints.dataSource(), "SELECT id FROM kept")).isEqualTo("7");
    }
  }

  @Test
  void killing_and_starting_twice_is_the_same_as_once() {
    redis.freeze();
    redis.kill();
    redis.kill();
    redis.start();
    redis.start();

    assertThat(ask(RedisCommands::ping)).isEqualTo("PONG");
  }

  @Test
  void closing_ends_a_frozen_server() {
    Environment other = Environments.open(options());
    ServerControl frozen = other.redisControl().orElseThrow();
    frozen.freeze();

    assertThatCode(other::close).doesNotThrowAnyException();

    assertThat(frozen.running()).isFalse();
  }
}
