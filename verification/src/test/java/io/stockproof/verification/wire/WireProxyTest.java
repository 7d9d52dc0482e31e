package io.stockproof.verification.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** The listener itself. */
class WireProxyTest {
  private final Environment.RedisServer server = Environments.shared().redis();
  private final InetSocketAddress there = new InetSocketAddress(server.host(), server.port());

  @Test
  void listensOnTheLoopbackInterfaceOnly() {
    try (WireProxy proxy = WireProxy.redis("A", () -> there, Traffic.PASS)) {
      assertThat(proxy.address().getAddress().isLoopbackAddress()).isTrue();
    }
  }

  @Test
  void outlivesItsServer() throws IOException {
    AtomicReference<InetSocketAddress> upstream = new AtomicReference<>(nobody());
    try (WireProxy proxy = WireProxy.redis("A", upstream::get, Traffic.PASS)) {
      assertThatThrownBy(() -> ping(proxy)).isInstanceOf(JedisConnectionException.class);
      upstream.set(there);
      assertThat(ping(proxy)).isEqualTo("PONG");
    }
  }

  @Test
  void cutsAllConnectionsAndAcceptsNewOnes() {
    try (WireProxy proxy = WireProxy.redis("A", () -> there, Traffic.PASS);
        Jedis jedis = new Jedis("127.0.0.1", proxy.port())) {
      assertThat(jedis.ping()).isEqualTo("PONG");
      proxy.cutAll();
      assertThatThrownBy(jedis::ping).isInstanceOf(JedisConnectionException.class);
      assertThat(ping(proxy)).isEqualTo("PONG");
      assertThat(proxy.counters().connections()).isEqualTo(2);
    }
  }

  @Test
  void endsItsThreadsWhenClosedEvenWithACommandHeld() {
    Scribe scribe = new Scribe();
    scribe.hold(Scribe.named("GET"));
    WireProxy proxy = WireProxy.redis("threads", () -> there, scribe);
    try (Jedis jedis = new Jedis("127.0.0.1", proxy.port())) {
      Thread client = new Thread(() -> getQuietly(jedis));
      client.setDaemon(true);
      client.start();
      Command held = scribe.nextHeld();
      proxy.close();
      assertThat(held.forward()).isFalse();
      held.cutBefore();
    }
    Awaitility.await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.startsWith("stockproof-wire-threads")));
  }

  @Test
  void anExceptionOfTheTrafficIsCountedAndBreaksNothing() {
    Traffic broken =
        command -> {
          command.forward();
          throw new IllegalStateException("planted");
        };
    try (WireProxy proxy = WireProxy.redis("A", () -> there, broken);
        Jedis jedis = new Jedis("127.0.0.1", proxy.port())) {
      assertThat(jedis.exists("wire:none")).isFalse();
      Awaitility.await().untilAsserted(() -> assertThat(proxy.counters().failures()).isEqualTo(1));
    }
  }

  private static void getQuietly(Jedis jedis) {
    try {
      jedis.get("wire:none");
    } catch (JedisConnectionException e) {
      // The proxy closes.
    }
  }

  private static String ping(WireProxy proxy) {
    try (Jedis jedis = new Jedis("127.0.0.1", proxy.port())) {
      return jedis.ping();
    }
  }

  private static InetSocketAddress nobody() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }
  }
}
