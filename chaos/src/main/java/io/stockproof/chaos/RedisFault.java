package io.stockproof.chaos;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What an operator, or Redis itself, does to the data and the service of Redis. */
public enum RedisFault implements Fault {
  CLIENT_PAUSE(
      "redis-client-pause", FaultFamily.REDIS_PAUSE, 3, "CLIENT PAUSE: nothing is answered") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      target.redis().send(CommandType.CLIENT, "PAUSE", Long.toString(lasts.toMillis()), "ALL");
      // CLIENT UNPAUSE would be paused itself: it ends by its own time.
      return Undo.NOTHING;
    }
  },
  SLOW_SCRIPT(
      "redis-slow-script",
      FaultFamily.REDIS_PAUSE,
      2,
      "somebody's script does not end: the others are told BUSY") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      String threshold = target.redis().get(BUSY_AFTER);
      target.redis().set(BUSY_AFTER, "100");
      Thread script = new Thread(() -> run(target, lasts), "stockproof-chaos-slow-script");
      script.setDaemon(true);
      script.start();
      return () -> {
        script.join(lasts.plus(PATIENCE).toMillis());
        target.redis().set(BUSY_AFTER, threshold);
      };
    }

    private void run(Target target, Duration lasts) {
      String micros = Long.toString(TimeUnit.MILLISECONDS.toMicros(lasts.toMillis()));
      target
          .redis()
          .with(
              lasts.plus(PATIENCE),
              redis -> redis.eval(BUSY_LOOP, ScriptOutputType.INTEGER, new String[0], micros));
    }
  },
  FLUSHALL("redis-flush", FaultFamily.REDIS_LOSS, 2, "FLUSHALL, twice a second") {
    @Override
    public Undo begin(Target target, Duration lasts) throws Exception {
      return Repeating.every(
          Duration.ofMillis(500),
          () -> {
            target.lost(target.couponKeys());
            target.redis().with(redis -> redis.flushall());
          });
    }
  },
  SCRIPT_FLUSH(
      "redis-script-flush",
      FaultFamily.REDIS_LOSS,
      2,
      "SCRIPT FLUSH, ten times a second: EVALSHA is told NOSCRIPT") {
    @Override
    public Undo begin(Target target, Duration lasts) throws Exception {
      return Repeating.every(
          Duration.ofMillis(100), () -> target.redis().with(redis -> redis.scriptFlush()));
    }
  },
  KEY_LOSS(
      "redis-key-loss",
      FaultFamily.REDIS_LOSS,
      2,
      "one key of the coupon is gone, another each time, twice a second") {
    @Override
    public Undo begin(Target target, Duration lasts) throws Exception {
      return eachKeyInTurn(target, (key, of) -> of.redis().with(redis -> redis.del(key)));
    }
  },
  OUT_OF_MEMORY(
      "redis-oom", FaultFamily.REDIS_LOSS, 2, "at its memory limit: writes are refused (OOM)") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return limited(target, "noeviction");
    }
  },
  EVICTION(
      "redis-eviction",
      FaultFamily.REDIS_LOSS,
      2,
      "at its memory limit: keys are evicted (allkeys-random), then writes refused") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      target.lost(target.couponKeys());
      return limited(target, "allkeys-random");
    }
  },
  READ_ONLY(
      "redis-readonly",
      FaultFamily.REDIS_LOSS,
      2,
      "Redis is made a replica of nobody: reads go on, writes are told READONLY") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      // Port 1 of this machine: nobody to copy from, so the data stays.
      target.redis().with(redis -> redis.replicaof("127.0.0.1", 1));
      return () -> target.redis().with(redis -> redis.replicaofNoOne());
    }
  },
  KEY_EXPIRY(
      "redis-key-expiry",
      FaultFamily.TTL_EXPIRY,
      2,
      "one key of the coupon expires, another each time, twice a second") {
    @Override
    public Undo begin(Target target, Duration lasts) throws Exception {
      return eachKeyInTurn(target, (key, of) -> of.redis().with(redis -> redis.pexpire(key, 1)));
    }
  },
  LEASE_EXPIRY(
      "lease-expiry",
      FaultFamily.TTL_EXPIRY,
      2,
      "the lease of a lock ends while its holder works, fifty times a second") {
    @Override
    public Undo begin(Target target, Duration lasts) throws Exception {
      List<String> leases = target.leaseKeys();
      return Repeating.every(
          Duration.ofMillis(20),
          () -> {
            if (target.redis().with(redis -> redis.del(leases.toArray(String[]::new))) > 0) {
              target.lost(leases);
            }
          });
    }
  };

  private static final String BUSY_AFTER = "busy-reply-threshold";
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Reads only, so that it may be killed; ends by itself. */
  private static final String BUSY_LOOP =
      """
      local function micros()
        local t = redis.call('TIME')
        return t[1] * 1000000 + t[2]
      end
      local till = micros() + ARGV[1]
      while micros() < till do end
      return 1\
      """;

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts, an enum and a Duration
  private final About about;

  RedisFault(String title, FaultFamily family, int usualSeconds, String meaning) {
    this.about = About.of(title, family, usualSeconds, meaning);
  }

  @Override
  public About about() {
    return about;
  }

  private interface Loss {
    void of(String key, Target target);
  }

  private static Undo eachKeyInTurn(Target target, Loss loss) throws Exception {
    int[] turn = {0};
    return Repeating.every(
        Duration.ofMillis(500),
        () -> {
          List<String> keys = target.couponKeys().stream().sorted().toList();
          if (!keys.isEmpty()) {
            String key = keys.get(turn[0]++ % keys.size());
            loss.of(key, target);
            target.lost(List.of(key));
          }
        });
  }

  private static Undo limited(Target target, String policy) {
    String limit = target.redis().get("maxmemory");
    String before = target.redis().get("maxmemory-policy");
    target.redis().set("maxmemory-policy", policy);
    target.redis().set("maxmemory", "1");
    return () -> {
      target.redis().set("maxmemory", limit);
      target.redis().set("maxmemory-policy", before);
    };
  }

  @Override
  public boolean strikesWholeServer() {
    return switch (this) {
      case CLIENT_PAUSE, SLOW_SCRIPT, FLUSHALL, SCRIPT_FLUSH, OUT_OF_MEMORY, EVICTION, READ_ONLY ->
          true;
      case KEY_LOSS, KEY_EXPIRY, LEASE_EXPIRY -> false;
    };
  }

  @Override
  public boolean losesRedisData() {
    return switch (this) {
      case FLUSHALL, KEY_LOSS, EVICTION, KEY_EXPIRY -> true;
      default -> false;
    };
  }
}
