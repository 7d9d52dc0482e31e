package io.stockproof.chaos;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * An operator's hand in Redis, past every proxy. Each use has a connection of its own that is never
 * taken up again after it broke: an admin command must not be done twice. Thread-safe.
 */
final class RedisAdmin implements AutoCloseable {
  private static final int KEYS_A_LOOK = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final RedisClient client;

  RedisAdmin(String uri) {
    RedisURI server = RedisURI.create(uri);
    server.setTimeout(PATIENCE);
    client = RedisClient.create(server);
    client.setOptions(ClientOptions.builder().autoReconnect(false).build());
  }

  <T> T with(Function<RedisCommands<String, String>, T> work) {
    return with(PATIENCE, work);
  }

  /** For what takes its time. */
  <T> T with(Duration patience, Function<RedisCommands<String, String>, T> work) {
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      connection.setTimeout(patience);
      return work.apply(connection.sync());
    }
  }

  /** Sends a command for which the client has no method. */
  void send(ProtocolKeyword command, String... arguments) {
    CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
    for (String argument : arguments) {
      args.add(argument);
    }
    with(redis -> redis.dispatch(command, new StatusOutput<>(StringCodec.UTF8), args));
  }

  void set(String parameter, String value) {
    with(redis -> redis.configSet(parameter, value));
  }

  String get(String parameter) {
    return with(redis -> redis.configGet(parameter).getOrDefault(parameter, ""));
  }

  /** Every key whose name holds this number, and not as a part of a longer one. */
  List<String> keysNaming(long number) {
    Predicate<String> holds = Pattern.compile("(?<!\\d)0*" + number + "(?!\\d)").asPredicate();
    ScanArgs naming = ScanArgs.Builder.matches("*" + number + "*").limit(KEYS_A_LOOK);
    return with(
        redis -> {
          List<String> keys = new ArrayList<>();
          ScanIterator.scan(redis, naming).forEachRemaining(keys::add);
          keys.removeIf(holds.negate());
          return keys;
        });
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
