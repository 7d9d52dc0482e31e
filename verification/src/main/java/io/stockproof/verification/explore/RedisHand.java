package io.stockproof.verification.explore;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;

/** The verifier's own hand in Redis, for faults that are made real: keys that expire. */
final class RedisHand implements AutoCloseable {

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

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
