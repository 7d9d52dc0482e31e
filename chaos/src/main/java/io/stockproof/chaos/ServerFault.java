package io.stockproof.chaos;

import io.lettuce.core.protocol.CommandType;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.ServerControl;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What happens to the process of a server. */
public enum ServerFault implements Fault {
  REDIS_FREEZE(
      "redis-freeze", FaultFamily.REDIS_PAUSE, 3, "the Redis process stands still (SIGSTOP)") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return frozen(target.redisServer());
    }
  },
  REDIS_KILL(
      "redis-kill", FaultFamily.REDIS_LOSS, 1, "Redis is killed (SIGKILL) and comes back empty") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      target.lost(target.couponKeys());
      return killed(target.redisServer());
    }
  },
  REDIS_RESTART(
      "redis-restart", FaultFamily.REDIS_LOSS, 1, "Redis is killed and comes back with its data") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      // Nothing is acknowledged between saving and the end, so nothing acknowledged is lost.
      target.redis().send(CommandType.CLIENT, "PAUSE", "10000", "WRITE");
      target.redis().with(redis -> redis.save());
      return killed(target.redisServer());
    }
  },
  REDIS_ROLLBACK(
      "redis-rollback",
      FaultFamily.REDIS_LOSS,
      2,
      "Redis comes back without its last writes, as a replica that is promoted too early") {
    @Override
    public Undo begin(Target target, Duration lasts) throws InterruptedException {
      List<String> keys = target.couponKeys();
      target.redis().with(redis -> redis.save());
      // What is written from here on is acknowledged, and lost.
      TimeUnit.MILLISECONDS.sleep(lasts.toMillis() / 2);
      target.lost(keys);
      return killed(target.redisServer());
    }
  },
  DB_FREEZE("db-freeze", FaultFamily.DB_FAILURE, 3, "the database process stands still (SIGSTOP)") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return frozen(target.databaseServer());
    }
  },
  DB_KILL(
      "db-kill", FaultFamily.DB_FAILURE, 1, "the database is killed (SIGKILL) and started again") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return killed(target.databaseServer());
    }
  };

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts, an enum and a Duration
  private final About about;

  ServerFault(String title, FaultFamily family, int usualSeconds, String meaning) {
    this.about = About.of(title, family, usualSeconds, meaning);
  }

  @Override
  public About about() {
    return about;
  }

  private static Undo frozen(ServerControl server) {
    server.freeze();
    return server::thaw;
  }

  private static Undo killed(ServerControl server) {
    server.kill();
    return server::start;
  }

  @Override
  public boolean strikesWholeServer() {
    return true;
  }

  @Override
  public boolean losesRedisData() {
    return this == REDIS_KILL || this == REDIS_ROLLBACK;
  }

  @Override
  public boolean lacksServer(Environment environment) {
    return switch (this) {
      case DB_FREEZE, DB_KILL -> environment.databaseControl().isEmpty();
      case REDIS_FREEZE, REDIS_KILL, REDIS_RESTART, REDIS_ROLLBACK ->
          environment.redisControl().isEmpty();
    };
  }
}
