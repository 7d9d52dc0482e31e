package io.stockproof.verification;

import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads and resets the Redis keys of a gate, on a connection of its own. */
final class GateReader implements AutoCloseable {
  private static final String SENTINEL = "";
  private static final long TIMEOUT_SECONDS = 10;

  /** A server that was down is read again as soon as it is back. */
  private static final Duration RECONNECTION = Duration.ofMillis(50);

  private final ClientResources resources;
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final GateKeys keys;

  GateReader(String redisUri, GateKeys keys) {
    this.resources = ClientResources.builder().reconnectDelay(Delay.constant(RECONNECTION)).build();
    this.client = RedisClient.create(resources, redisUri);
    this.connection = client.connect();
    this.keys = keys;
  }

  /**
   * Removes every key of the coupon; sets the stock if asked to.
   *
   * @return waits until that is done
   */
  Runnable reset(Scenario scenario, boolean setStock) {
    RedisAsyncCommands<String, String> redis = connection.async();
    RedisFuture<?> last = redis.del(keys.all(scenario.couponId()));
    if (setStock) {
      last =
          redis.set(
              GateKeys.key(keys.stock(), scenario.couponId()), Long.toString(scenario.total()));
    }
    RedisFuture<?> done = last;
    return () -> LettuceFutures.awaitOrCancel(done, TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  /** Begins to read the coupon's keys, in one round trip. */
  Reading read(long couponId) {
    RedisAsyncCommands<String, String> redis = connection.async();
    return new Reading(
        redis.get(GateKeys.key(keys.stock(), couponId)),
        redis.smembers(GateKeys.key(keys.users(), couponId)),
        keys.pending() == null ? null : redis.hkeys(GateKeys.key(keys.pending(), couponId)));
  }

  /** Keys that are being read. */
  record Reading(
      RedisFuture<String> stock,
      RedisFuture<Set<String>> members,
      @Nullable RedisFuture<List<String>> pending) {

    /** The state of the coupon with what was read of its ledger. */
    StoreState with(Map<String, Long> rows, long counter) {
      String gateStock = await(stock);
      Set<String> users = new HashSet<>(await(members));
      Set<String> reservations = pending == null ? new HashSet<>() : new HashSet<>(await(pending));
      users.remove(SENTINEL);
      reservations.remove(SENTINEL);
      users.removeAll(reservations);
      return new StoreState(
          rows,
          counter,
          gateStock == null ? StoreState.MISSING : Long.parseLong(gateStock),
          users,
          reservations);
    }

    private static <T> T await(RedisFuture<T> reply) {
      return LettuceFutures.awaitOrCancel(reply, TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
    var unused = resources.shutdown(0, TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }
}
