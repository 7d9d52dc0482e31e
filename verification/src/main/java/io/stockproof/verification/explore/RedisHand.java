package io.stockproof.verification.explore;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RestoreArgs;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The verifier's own hand in Redis, for faults that are made real: keys that expire or are lost.
 */
final class RedisHand implements AutoCloseable {

  private static final int KEYS_A_LOOK = 5_000;

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;

  RedisHand(String uri) {
    client = RedisClient.create(uri);
    connection = client.connect();
  }

  void delete(List<String> keys) {
    if (!keys.isEmpty()) {
      connection.sync().del(keys.toArray(String[]::new));
    }
  }

  /** Deletes every key whose name holds this text. */
  Set<String> deleteNaming(String text) {
    Set<String> keys = new HashSet<>();
    ScanArgs naming = ScanArgs.Builder.matches("*" + text + "*").limit(KEYS_A_LOOK);
    ScanIterator.scan(connection.sync(), naming).forEachRemaining(keys::add);
    if (!keys.isEmpty()) {
      delete(List.copyOf(keys));
    }
    return keys;
  }

  /** A key as it was. */
  static final class Value {
    /** Its value as {@code DUMP} gives it; null if there was none. */
    private final byte @Nullable [] dump;

    /** How long it would have lived; 0 or less for ever. */
    private final long livesMillis;

    private Value(byte @Nullable [] dump, long livesMillis) {
      this.dump = dump;
      this.livesMillis = livesMillis;
    }

    boolean sameAs(Value other) {
      return Arrays.equals(dump, other.dump);
    }
  }

  /** What a key holds now. */
  Value read(String key) {
    byte[] dump = connection.sync().dump(key);
    return new Value(dump, dump == null ? 0 : connection.sync().pttl(key));
  }

  /** Has a key hold what it held once. */
  void write(String key, Value value) {
    byte[] dump = value.dump;
    if (dump == null) {
      connection.sync().del(key);
    } else {
      RestoreArgs over = new RestoreArgs().replace().ttl(Math.max(0, value.livesMillis));
      connection.sync().restore(key, dump, over);
    }
  }

  /** Those of the keys that do not exist. */
  Set<String> absent(Set<String> keys) {
    Set<String> absent = new HashSet<>(keys);
    absent.removeIf(key -> connection.sync().exists(key) > 0);
    return absent;
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
