package io.stockproof.verification.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The Redis proxy with Lettuce, which speaks RESP3 and pipelines. */
class RedisProxyTest {
  private final Environment.RedisServer server = Environments.shared().redis();
  private final Scribe scribe = new Scribe();
  private final WireProxy proxy =
      WireProxy.redis("A", () -> new InetSocketAddress(server.host(), server.port()), scribe);
  private final RedisClient client =
      RedisClient.create("redis://" + proxy.address().getHostString() + ":" + proxy.port());
  private StatefulRedisConnection<String, String> connection;
  private RedisCommands<String, String> redis;

  @BeforeEach
  void connect() {
    connection = client.connect();
    redis = connection.sync();
    redis.del("wire:a", "wire:b", "wire:n");
    scribe.seen.clear();
  }

  @AfterEach
  void close() {
    proxy.close();
    client.shutdown(Duration.ZERO, Duration.ZERO);
  }

  @Test
  void seesNameKeysAndParameters() {
    redis.set("wire:a", "x y");
    redis.mget("wire:a", "wire:b");
    redis.eval("return {KEYS[1], ARGV[1]}", ScriptOutputType.MULTI, new String[] {"wire:n"}, "7");

    assertThat(scribe.names()).containsExactly("SET", "MGET", "EVAL");
    Command set = scribe.seen.get(0);
    assertThat(set.keys()).containsExactly("wire:a");
    assertThat(set.parameters()).containsExactly("x y");
    assertThat(set.statement()).isEqualTo("SET wire:a x y");
    assertThat(set.instance()).isEqualTo("A");
    assertThat(scribe.seen.get(1).keys()).containsExactly("wire:a", "wire:b");
    Command eval = scribe.seen.get(2);
    assertThat(eval.keys()).containsExactly("wire:n");
    assertThat(eval.parameters()).endsWith("1", "7");
    assertThat(scribe.replyTo(c -> c == eval).values()).containsExactly("wire:n", "7");
    assertThat(scribe.passed).extracting(Command::name).contains("HELLO");
  }

  @Test
  void heldCommandsHappenWhenForwarded() throws Exception {
    scribe.hold(Scribe.named("INCR"));
    var reply = connection.async().incr("wire:n");

    Command held = scribe.nextHeld();
    assertThat(held.queuedBehind()).isFalse();
    assertThat(reply.isDone()).isFalse();
    assertThat(held.forward()).isTrue();
    assertThat(reply.get(5, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(scribe.replyTo(Scribe.named("INCR")).values()).containsExactly("1");
  }

  @Test
  void commandsBehindAHeldOneAreSeenAndKeepTheirOrder() throws Exception {
    scribe.hold(c -> c.name().equals("INCR") || c.name().equals("APPEND"));
    RedisAsyncCommands<String, String> async = connection.async();
    var incr = async.incr("wire:n");
    var append = async.append("wire:a", "z");
    var get = async.ping();

    Command first = scribe.nextHeld();
    Command second = scribe.nextHeld();
    assertThat(second.queuedBehind()).isTrue();
    second.forward();
    assertThat(append.isDone()).isFalse();
    first.forward();
    assertThat(incr.get(5, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(append.get(5, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(get.get(5, TimeUnit.SECONDS)).isEqualTo("PONG");
  }

  @Test
  void multiIsQueuedAndExecCarriesTheKeys() {
    redis.multi();
    redis.set("wire:a", "1");
    redis.incr("wire:n");
    TransactionResult result = redis.exec();

    assertThat(result.wasDiscarded()).isFalse();
    assertThat(scribe.names()).containsExactly("MULTI", "SET", "INCR", "EXEC");
    assertThat(scribe.seen)
        .extracting(Command::queuedByServer)
        .containsExactly(true, true, true, false);
    assertThat(scribe.seen.get(3).keys()).containsExactly("wire:a", "wire:n");
  }

  @Test
  void pipelinesOfAnyLengthKeepTheirReplies() throws Exception {
    RedisAsyncCommands<String, String> async = connection.async();
    List<java.util.concurrent.Future<Long>> replies = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      replies.add(async.incr("wire:n"));
    }
    for (int i = 0; i < 10_000; i++) {
      assertThat(replies.get(i).get(10, TimeUnit.SECONDS)).isEqualTo(i + 1);
    }
    assertThat(proxy.counters().unmatched()).isZero();
    assertThat(scribe.answered).hasSizeGreaterThanOrEqualTo(10_000);
  }

  @Test
  void largeValuesPassUntouched() {
    String large = "0123456789abcdef".repeat(1 << 18);
    redis.set("wire:a", large);
    assertThat(redis.get("wire:a")).isEqualTo(large);
    assertThat(proxy.counters().undecoded()).isZero();
  }

  @Test
  void subscribersAreNotConfusedWithReplies() throws Exception {
    var subscriber = client.connectPubSub();
    var messages = new java.util.concurrent.LinkedBlockingQueue<String>();
    subscriber.addListener(
        new io.lettuce.core.pubsub.RedisPubSubAdapter<>() {
          @Override
          public void message(String channel, String message) {
            messages.add(message);
          }
        });
    subscriber.sync().subscribe("wire:channel");
    redis.publish("wire:channel", "hello");
    assertThat(messages.poll(5, TimeUnit.SECONDS)).isEqualTo("hello");
    assertThat(subscriber.sync().ping()).isEqualTo("PONG");
    assertThat(proxy.counters().unmatched()).isZero();
  }
}
