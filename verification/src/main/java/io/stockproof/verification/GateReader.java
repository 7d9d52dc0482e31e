package io.stockproof.verification;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Reads and resets the Redis keys of a gate, on a connection of its own. */
final class GateReader implements AutoCloseable {
  private static final String SENTINEL = "";

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final GateKeys keys;

  GateReader(String redisUri, GateKeys keys) {
    this.client = RedisClient.create(redisUri);
    this.connection = client.connect();
    this.keys = keys;
  }

  /** Removes every key of the coupon; sets the stock if asked to. */
  void reset(Scenario scenario, boolean setStock) {
    RedisCommands<String, String> redis = connection.sync();
    redis.del(keys.all(scenario.couponId()));
    if (setStock) {
      redis.set(GateKeys.key(keys.stock(), scenario.couponId()), Long.toString(scenario.total()));
    }
  }

  /** The state of the coupon with what was read of its ledger. */
  StoreState read(long couponId, Map<String, Long> rows, long counter) {
    RedisCommands<String, String> redis = connection.sync();
    String stock = redis.get(GateKeys.key(keys.stock(), couponId));
    Set<String> users = new HashSet<>(redis.smembers(GateKeys.key(keys.users(), couponId)));
    Set<String> reservations =
        keys.pending() == null
            ? new HashSet<>()
            : new HashSet<>(redis.hkeys(GateKeys.key(keys.pending(), couponId)));
    users.remove(SENTINEL);
    reservations.remove(SENTINEL);
    users.removeAll(reservations);
    return new StoreState(
        rows,
        counter,
        stock == null ? StoreState.MISSING : Long.parseLong(stock),
        users,
        reservations);
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
