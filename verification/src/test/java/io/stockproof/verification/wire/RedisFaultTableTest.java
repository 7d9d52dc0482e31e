package io.stockproof.verification.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Redis rows of {@code docs/faults.md}, each on a real server. */
class RedisFaultTableTest {
  private final Environment.RedisServer server = Environments.shared().redis();
  private final Scribe scribe = new Scribe();
  private final WireProxy proxy =
      WireProxy.redis("A", () -> new InetSocketAddress(server.host(), server.port()), scribe);
  private final RedisClient client = RedisClient.create("redis://127.0.0.1:" + proxy.port());
  private final RedisClient direct = RedisClient.create(server.uri());
  private final CompletableFuture<LateCommand> late = new CompletableFuture<>();
  private StatefulRedisConnection<String, String> connection;
  private RedisCommands<String, String> redis;
  private RedisCommands<String, String> truth;

  @BeforeEach
  void connect() {
    client.setOptions(ClientOptions.builder().autoReconnect(false).build());
    connection = client.connect();
    redis = connection.sync();
    truth = direct.connect().sync();
    truth.set("wire:n", "1");
    truth.del("wire:m");
  }

  @AfterEach
  void close() {
    proxy.close();
    client.shutdown(Duration.ZERO, Duration.ZERO);
    direct.shutdown(Duration.ZERO, Duration.ZERO);
    assertThat(proxy.counters().unmatched()).isZero();
    assertThat(proxy.counters().failures()).isZero();
  }

  @Test
  void redis_forward() {
    assertThat(redis.incr("wire:n")).isEqualTo(2);
  }

  @Test
  void redis_delay() {
    scribe.treat(Scribe.named("INCR"), c -> c.forwardAfter(Duration.ofMillis(150)));
    long before = System.nanoTime();
    assertThat(redis.incr("wire:n")).isEqualTo(2);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(149));
  }

  @Test
  void redis_answer() {
    for (WireError error :
        new WireError[] {
          WireError.outOfMemory(),
          WireError.readOnlyReplica(),
          WireError.loading(),
          WireError.busy(),
          WireError.noScript(),
          WireError.tryAgain()
        }) {
      scribe.treat(Scribe.named("INCR"), c -> c.answer(error));
      assertThatThrownBy(() -> redis.incr("wire:n"))
          .isInstanceOf(RedisCommandExecutionException.class)
          .hasMessage(error.text());
    }
    assertThat(truth.get("wire:n")).isEqualTo("1");
    scribe.forwardAll();
    assertThat(redis.incr("wire:n")).isEqualTo(2);
  }

  @Test
  void redis_answer_in_multi() {
    scribe.treat(Scribe.named("INCR"), c -> c.answer(WireError.outOfMemory()));
    redis.multi();
    redis.set("wire:m", "1");
    redis.incr("wire:n");
    redis.set("wire:m", "2");
    assertThatThrownBy(redis::exec).hasMessageContaining("EXECABORT");
    assertThat(truth.get("wire:n")).isEqualTo("1");
    assertThat(truth.get("wire:m")).isNull();
    scribe.forwardAll();
    assertThat(redis.incr("wire:n")).isEqualTo(2);
  }

  @Test
  void redis_answer_exec() {
    scribe.treat(Scribe.named("EXEC"), c -> c.answer(WireError.outOfMemory()));
    redis.multi();
    redis.incr("wire:n");
    assertThatThrownBy(redis::exec)
        .hasMessageContaining("EXECABORT Transaction discarded because of: OOM");
    assertThat(truth.get("wire:n")).isEqualTo("1");
    assertThat(redis.incr("wire:n")).isEqualTo(2);
  }

  @Test
  void redis_cut_before() {
    scribe.treat(Scribe.named("INCR"), Command::cutBefore);
    assertConnectionLost(() -> redis.incr("wire:n"));
    assertThat(truth.get("wire:n")).isEqualTo("1");
  }

  @Test
  void redis_cut_before_exec() {
    scribe.treat(Scribe.named("EXEC"), Command::cutBefore);
    redis.multi();
    redis.incr("wire:n");
    assertConnectionLost(redis::exec);
    assertThat(truth.get("wire:n")).isEqualTo("1");
  }

  @Test
  void redis_lose_reply() {
    scribe.treat(Scribe.named("INCR"), Command::loseReply);
    assertConnectionLost(() -> redis.incr("wire:n"));
    assertThat(truth.get("wire:n")).isEqualTo("2");
    assertThat(scribe.replyTo(Scribe.named("INCR")).passed()).isFalse();
    assertThat(scribe.replyTo(Scribe.named("INCR")).values()).containsExactly("2");
  }

  @Test
  void redis_lose_reply_of_exec() {
    scribe.treat(Scribe.named("EXEC"), Command::loseReply);
    redis.multi();
    redis.incr("wire:n");
    assertConnectionLost(redis::exec);
    assertThat(truth.get("wire:n")).isEqualTo("2");
  }

  @Test
  void redis_late() throws Exception {
    scribe.treat(Scribe.named("INCR"), c -> late.complete(c.giveUp()));
    assertConnectionLost(() -> redis.incr("wire:n"));
    assertThat(truth.get("wire:n")).isEqualTo("1");
    LateCommand command = late.join();
    assertThat(command.deliver().get(5, TimeUnit.SECONDS).values()).containsExactly("2");
    assertThat(truth.get("wire:n")).isEqualTo("2");
    assertThatThrownBy(command::drop).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void redis_late_never() {
    scribe.treat(Scribe.named("INCR"), c -> late.complete(c.giveUp()));
    assertConnectionLost(() -> redis.incr("wire:n"));
    late.join().drop();
    assertThat(truth.get("wire:n")).isEqualTo("1");
  }

  @Test
  void redis_client_gone_then_forward() {
    scribe.hold(Scribe.named("INCR"));
    var unused = connection.async().incr("wire:n");
    Command held = scribe.nextHeld();
    connection.close();
    Awaitility.await().until(held::clientGone);
    assertThat(truth.get("wire:n")).isEqualTo("1");
    assertThat(held.forward()).isTrue();
    Awaitility.await().untilAsserted(() -> assertThat(truth.get("wire:n")).isEqualTo("2"));
  }

  @Test
  void redis_refuse() {
    proxy.refuse(WireError.redis("ERR max number of clients reached"));
    assertThatThrownBy(client::connect).isInstanceOf(RedisException.class);
    proxy.refuse(null);
    assertThat(client.connect().sync().ping()).isEqualTo("PONG");
  }

  @Test
  void redis_decided_twice() throws Exception {
    scribe.hold(Scribe.named("INCR"));
    var reply = connection.async().incr("wire:n");
    Command held = scribe.nextHeld();
    held.forward();
    assertThatThrownBy(held::cutBefore).isInstanceOf(IllegalStateException.class);
    assertThat(reply.get(5, TimeUnit.SECONDS)).isEqualTo(2);
  }

  private static void assertConnectionLost(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(RedisException.class)
        .isNotInstanceOf(RedisCommandExecutionException.class);
  }
}
