package io.stockproof.chaos;

import io.stockproof.verification.wire.Command;
import io.stockproof.verification.wire.Command.Store;
import io.stockproof.verification.wire.ProxiedEndpoints;
import io.stockproof.verification.wire.WireProxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What the network does. Partitions are of the first instance; the others go on. */
public enum WireFault implements Fault {
  REDIS_PARTITION(
      "redis-partition",
      FaultFamily.NETWORK,
      3,
      "the first instance is cut off from Redis: nothing arrives") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return partition(target, Store.REDIS);
    }
  },
  DB_PARTITION(
      "db-partition",
      FaultFamily.NETWORK,
      3,
      "the first instance is cut off from the database: nothing arrives") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return partition(target, Store.DATABASE);
    }
  },
  REDIS_ONE_WAY(
      "redis-one-way",
      FaultFamily.NETWORK,
      3,
      "what the first instance sends to Redis arrives; no reply comes back") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return oneWay(target, Store.REDIS, lasts);
    }
  },
  DB_ONE_WAY(
      "db-one-way",
      FaultFamily.NETWORK,
      3,
      "what the first instance sends to the database arrives; no reply comes back") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return oneWay(target, Store.DATABASE, lasts);
    }
  },
  REDIS_RESET(
      "redis-reset",
      FaultFamily.NETWORK,
      2,
      "every connection to Redis is reset, five times a second") {
    @Override
    public Undo begin(Target target, Duration lasts) throws Exception {
      return Repeating.every(
          Duration.ofMillis(200),
          () ->
              target.wires().stream().map(ProxiedEndpoints::redisProxy).forEach(WireProxy::cutAll));
    }
  },
  DB_RESET(
      "db-reset",
      FaultFamily.NETWORK,
      2,
      "every connection to the database is reset, five times a second") {
    @Override
    public Undo begin(Target target, Duration lasts) throws Exception {
      return Repeating.every(
          Duration.ofMillis(200),
          () ->
              target.wires().stream()
                  .map(ProxiedEndpoints::databaseProxy)
                  .forEach(WireProxy::cutAll));
    }
  },
  REDIS_LATENCY(
      "redis-latency", FaultFamily.REDIS_PAUSE, 3, "every command to Redis takes 150 ms longer") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return meddle(target, command -> command.store() == Store.REDIS && delayed(command));
    }
  },
  DB_SLOW_COMMIT("db-slow-commit", FaultFamily.DB_FAILURE, 3, "every COMMIT takes 150 ms longer") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return meddle(target, command -> command.name().equals("COMMIT") && delayed(command));
    }
  };

  private static final Duration DELAY = Duration.ofMillis(150);

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts, an enum and a Duration
  private final About about;

  WireFault(String title, FaultFamily family, int usualSeconds, String meaning) {
    this.about = About.of(title, family, usualSeconds, meaning);
  }

  @Override
  public About about() {
    return about;
  }

  private static boolean delayed(Command command) {
    command.forwardAfter(DELAY);
    return true;
  }

  private static Undo meddle(Target target, Meddler.Meddling meddling) {
    target.meddler().meddle(meddling);
    return target.meddler()::stop;
  }

  private static boolean isCutOff(Target target, Store store, Command command) {
    return command.store() == store
        && command.instance().equals(target.wires().get(0).redisProxy().label());
  }

  /** What was sent meanwhile arrives at the end, as packets do that are sent again. */
  private static Undo partition(Target target, Store store) {
    HeldCommands<Command> held = new HeldCommands<>();
    target.meddler().meddle(command -> isCutOff(target, store, command) && held.hold(command));
    return () -> {
      target.meddler().stop();
      held.release().forEach(Command::forward);
    };
  }

  private static Undo oneWay(Target target, Store store, Duration lasts) {
    CountDownLatch over = new CountDownLatch(1);
    target
        .meddler()
        .meddle(
            new Meddler.Meddling() {
              @Override
              public boolean decides(Command command) {
                return false;
              }

              @Override
              public void replied(Command command) {
                if (isCutOff(target, store, command)) {
                  hold(over, lasts.multipliedBy(2));
                }
              }
            });
    return () -> {
      target.meddler().stop();
      over.countDown();
    };
  }

  /** Holds up the thread that brings replies of one connection, as the network would. */
  private static void hold(CountDownLatch over, Duration atMost) {
    try {
      if (!over.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("a one-way partition outlasted its window");
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
