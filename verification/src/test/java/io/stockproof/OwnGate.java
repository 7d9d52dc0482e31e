package io.stockproof;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import io.stockproof.gate.RedisScripts;
import io.stockproof.gate.Script;
import io.stockproof.verification.environment.OwnRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/** A gate on a Redis of its own, for tests that hurt it; with a clock that can be put forward. */
final class OwnGate implements AutoCloseable {

  final OwnRedis server;

  /** Where the client looks for the server whenever it connects, as a name that can be moved. */
  final RedisURI address;

  /** How many acquires were sent. */
  final AtomicInteger acquires = new AtomicInteger();

  private final AtomicLong aheadNanos = new AtomicLong();
  private final ClientResources resources =
      DefaultClientResources.builder()
          .reconnectDelay(Delay.constant(Duration.ofMillis(20)))
          .ioThreadPoolSize(2)
          .computationThreadPoolSize(2)
          .build();
  private final RedisClient client;

  OwnGate(String... arguments) {
    server = OwnRedis.start(arguments);
    address = RedisURI.create("127.0.0.1", server.port());
    client = RedisClient.create(resources, address);
  }

  /** A builder in manual mode, one second patient and impatient with reservations. */
  Stockproof.Builder issuer(DataSource dataSource) {
    return Stockproof.issuer(dataSource, new Counting(RedisScripts.standalone(client)))
        .background(false)
        .timeout(Duration.ofSeconds(1))
        .reservationTimeout(Duration.ZERO)
        .soldOutMemory(Duration.ZERO)
        .nanoClock(() -> System.nanoTime() + aheadNanos.get());
  }

  void later(Duration time) {
    aheadNanos.addAndGet(time.toNanos());
  }

  /** A connection of the test itself, straight to a server. */
  static RedisConnection connect(OwnRedis server) {
    return new RedisConnection(RedisClient.create(RedisURI.create("127.0.0.1", server.port())));
  }

  RedisConnection connect() {
    return connect(server);
  }

  static final class RedisConnection implements AutoCloseable {
    private final RedisClient own;
    final StatefulRedisConnection<String, String> connection;
    final RedisCommands<String, String> redis;

    RedisConnection(RedisClient own) {
      this.own = own;
      try {
        this.connection = own.connect();
      } catch (RedisException e) {
        close();
        throw e;
      }
      this.redis = connection.sync();
    }

    @Override
    public void close() {
      own.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }

  private final class Counting implements RedisScripts {
    private final RedisScripts scripts;

    Counting(RedisScripts scripts) {
      this.scripts = scripts;
    }

    @Override
    public CompletableFuture<List<String>> eval(
        Script script, List<String> keys, List<String> args) {
      if (script.name().equals("acquire")) {
        acquires.incrementAndGet();
      }
      return scripts.eval(script, keys, args);
    }

    @Override
    public CompletableFuture<Void> load(List<Script> all) {
      return scripts.load(all);
    }

    @Override
    public void close() {
      scripts.close();
    }
  }

  @Override
  public void close() {
    client.shutdown(0, 1, TimeUnit.SECONDS);
    var unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
    server.close();
  }
}
