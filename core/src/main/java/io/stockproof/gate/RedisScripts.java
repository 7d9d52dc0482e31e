package io.stockproof.gate;

import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.StringCodec;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Runs Lua scripts on the primary that owns their keys, atomically and never on a replica (public
 * case G22). Implement it to use another client library. Safe for use by any number of threads.
 */
public interface RedisScripts extends AutoCloseable {

  /**
   * Runs a script whose answer is an array of strings.
   *
   * @param script what to run, by digest, or by text where the server does not know it (G19)
   * @param keys its KEYS, all in one slot
   * @param args its ARGV, as UTF-8 strings (G09)
   * @return the answer, never null; fails with {@link GateException}. Cancelling it keeps a script
   *     that was not sent from being sent
   */
  CompletableFuture<List<String>> eval(Script script, List<String> keys, List<String> args);

  /**
   * Makes the server know scripts before they are needed, so that the first requests of a sale do
   * not carry their text. What was loaded so is not evicted either, as what came by text may be
   * (Redis 7.4 on). Only a convenience: {@link #eval} works without, and so does an implementation
   * that keeps this one, which does nothing.
   *
   * @param scripts what will be run
   * @return done when every primary that is known has answered; fails if one refused
   */
  default CompletableFuture<Void> load(List<Script> scripts) {
    return CompletableFuture.completedFuture(null);
  }

  /** Closes what {@link #eval} used; the client it came from stays open. */
  @Override
  void close();

  /** On a single server, or a primary behind Sentinel; opens a connection of its own (G28). */
  static RedisScripts standalone(RedisClient client) {
    var connection = client.connect(StringCodec.UTF8);
    return new LettuceScripts(connection, connection.async());
  }

  /** On a cluster; commands go to the primary of the slot. */
  static RedisScripts cluster(RedisClusterClient client) {
    var connection = client.connect(StringCodec.UTF8);
    return new LettuceScripts(connection, connection.async());
  }
}
