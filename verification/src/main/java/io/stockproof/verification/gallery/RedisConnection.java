package io.stockproof.verification.gallery;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;

/** How the gallery speaks to Redis: one connection an instance. */
final class RedisConnection implements AutoCloseable {
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;

  RedisConnection(String uri) {
    this.client = RedisClient.create(uri);
    this.connection = client.connect();
  }

  RedisCommands<String, String> commands() {
    return connection.sync();
  }

  /** By its digest, and by its text if the server does not know it. */
  String run(String script, String[] keys, String... arguments) {
    RedisCommands<String, String> redis = connection.sync();
    try {
      return redis.evalsha(redis.digest(script), ScriptOutputType.VALUE, keys, arguments);
    } catch (RedisNoScriptException unknownToServer) {
      return redis.eval(script, ScriptOutputType.VALUE, keys, arguments);
    }
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
