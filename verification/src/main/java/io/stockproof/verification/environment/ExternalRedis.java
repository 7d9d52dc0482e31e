package io.stockproof.verification.environment;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanIterator;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.stockproof.verification.environment.Environment.RedisServer;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A logical database of a Redis that runs already. One that was empty is marked by a key as a run's
 * own, and is emptied at the end; keys that were there before are never removed here.
 */
final class ExternalRedis {

  static final String MARKER = "stockproof_created";

  /** Name of a connection that each run keeps open. */
  private static final String HOLDER = "stockproof-run";

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int KEYS_A_LOOK = 1_000;
  private static final String NOTE =
      "a run of Stockproof began with this database empty, and removes what came since";

  private final RedisServer server;
  private final Set<String> before;
  private final boolean ours;

  /** Its connection, by its name, keeps other runs away. */
  private @Nullable RedisClient holding;

  private ExternalRedis(RedisServer server, Set<String> before, boolean ours) {
    this.server = server;
    this.before = before;
    this.ours = ours;
  }

  /**
   * Looks what is there, and changes nothing.
   *
   * @throws EnvironmentException if there is no such server, it is none for a run, or it has keys
   *     that no run made and that may not be used
   */
  static ExternalRedis look(RedisAddress address, boolean useExisting) {
    RedisServer unknown =
        new RedisServer(address.host(), address.port(), "", address.login(), address.database());
    return with(
        unknown,
        redis -> {
          RedisServer server = identified(redis, unknown);
          long keys = redis.dbsize();
          boolean marked = redis.exists(MARKER) > 0;
          boolean ours = keys == 0 || marked;
          if (!ours && !useExisting) {
            throw new EnvironmentException(
                ("Redis database %d has %d keys that no run made (one is '%s'): name an empty one"
                        + " (redis://HOST:PORT/NUMBER), or allow --use-existing (%s=true); a run"
                        + " removes and makes keys that name its coupons")
                    .formatted(
                        address.database(),
                        keys,
                        redis.randomkey(),
                        ExternalOptions.USE_EXISTING.property()));
          }
          return new ExternalRedis(server, marked ? keys(redis) : Set.of(), ours);
        });
  }

  private static RedisServer identified(RedisCommands<String, String> redis, RedisServer unknown) {
    String about = redis.info("server");
    if (fact(about, "redis_mode").equals("cluster")) {
      throw new EnvironmentException(place(unknown) + " is a cluster; a run needs one server");
    }
    if (fact(redis.info("replication"), "role").equals("slave")) {
      throw new EnvironmentException(place(unknown) + " is a replica; a run needs to write");
    }
    return new RedisServer(
        unknown.host(),
        unknown.port(),
        fact(about, "redis_version"),
        unknown.login(),
        unknown.database());
  }

  private static String fact(String info, String name) {
    return info.lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElse("");
  }

  private static Set<String> keys(RedisCommands<String, String> redis) {
    Set<String> keys = new HashSet<>();
    ScanIterator.scan(redis, ScanArgs.Builder.limit(KEYS_A_LOOK)).forEachRemaining(keys::add);
    return keys;
  }

  private static <T> T with(RedisServer server, Function<RedisCommands<String, String>, T> work) {
    RedisURI uri = RedisURI.create(server.uri());
    uri.setTimeout(PATIENCE);
    RedisClient client = RedisClient.create(uri);
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      return work.apply(connection.sync());
    } catch (RedisException e) {
      throw new EnvironmentException(why(e, server), e);
    } finally {
      client.shutdown();
    }
  }

  /** What failed, in one line and without the password. */
  private static String why(RedisException failed, RedisServer server) {
    Throwable cause = failed;
    while (true) {
      if (cause instanceof UnknownHostException) {
        return "there is no host '%s' (Redis)".formatted(server.host());
      }
      if (cause instanceof ConnectException) {
        return "no Redis listens at %s:%d".formatted(server.host(), server.port());
      }
      if (cause.getCause() == null) {
        break;
      }
      cause = cause.getCause();
    }
    String message = String.valueOf(cause.getMessage());
    boolean notLetIn =
        cause instanceof RedisCommandExecutionException
            && (message.startsWith("WRONGPASS") || message.startsWith("NOAUTH"));
    return notLetIn
        ? "%s asks for %s user or password"
            .formatted(place(server), server.login().isEmpty() ? "a" : "another")
        : "%s cannot be used: %s".formatted(place(server), message);
  }

  private static String place(RedisServer server) {
    return "the Redis at %s:%d".formatted(server.host(), server.port());
  }

  /** The server, now that it was seen. */
  RedisServer server() {
    return server;
  }

  /**
   * Keeps other runs away from the database, and marks it if it was empty.
   *
   * @throws EnvironmentException if another run uses it now
   */
  void take() {
    String sameDatabase = " db=" + server.database() + " ";
    with(
        server,
        redis -> {
          boolean taken =
              redis
                  .clientList()
                  .lines()
                  .anyMatch(
                      line ->
                          line.contains(" name=" + HOLDER + " ") && line.contains(sameDatabase));
          if (taken) {
            throw new EnvironmentException(
                "another run uses Redis database %d now: wait, or name another"
                    .formatted(server.database()));
          }
          return ours ? redis.set(MARKER, NOTE) : "";
        });
    RedisURI uri = RedisURI.create(server.uri());
    uri.setClientName(HOLDER);
    RedisClient client = RedisClient.create(uri);
    holding = client;
    try {
      client.connect();
    } catch (RedisException e) {
      throw new EnvironmentException(why(e, server), e);
    }
  }

  /**
   * Lets others use the database. Before that it removes what came since {@link #look}, and the
   * mark if nothing else is there; nothing at all in a database that had somebody else's keys, or
   * that was not taken.
   */
  void giveBack() {
    RedisClient client = holding;
    if (client == null) {
      return;
    }
    try {
      if (ours) {
        with(server, this::empty);
      }
    } finally {
      client.shutdown();
    }
  }

  private long empty(RedisCommands<String, String> redis) {
    Set<String> since = keys(redis);
    since.removeAll(before);
    since.remove(MARKER);
    since.forEach(key -> redis.unlink(key));
    return redis.dbsize() == 1 ? redis.del(MARKER) : 0;
  }
}
