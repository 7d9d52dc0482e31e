package io.stockproof.chaos;

import io.stockproof.verification.wire.Command;
import io.stockproof.verification.wire.Command.Store;
import io.stockproof.verification.wire.ProxiedEndpoints;
import io.stockproof.verification.wire.WireProxy;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What the network does. Partitions are of the first instance; the others go on. */
public enum WireFault implements Fault {
  REDIS_PARTITION(
      "redis-partition", 3, "the first instance is cut off from Redis: nothing arrives") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return partition(target, Store.REDIS);
    }
  },
  DB_PARTITION(
      "db-partition", 3, "the first instance is cut off from the database: nothing arrives") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return partition(target, Store.DATABASE);
    }
  },
  REDIS_ONE_WAY(
      "redis-one-way", 3, "what the first instance sends to Redis arrives; no reply comes back") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return oneWay(target, Store.REDIS, lasts);
    }
  },
  DB_ONE_WAY(
      "db-one-way",
      3,
      "what the first instance sends to the database arrives; no reply comes back") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return oneWay(target, Store.DATABASE, lasts);
    }
  },
  REDIS_RESET("redis-reset", 2, "every connection to Redis is reset, five times a second") {
    @Override
    public Undo begin(Target target, Duration lasts) throws Exception {
      return Repeating.every(
          Duration.ofMillis(200),
          () ->
              target.wires().stream().map(ProxiedEndpoints::redisProxy).forEach(WireProxy::cutAll));
    }
  },
  DB_RESET("db-reset", 2, "every connection to the database is reset, five times a second") {
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
  REDIS_LATENCY("redis-latency", 3, "every command to Redis takes 150 ms longer") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return meddle(target, command -> command.store() == Store.REDIS && delayed(command));
    }

    @Override
    public FaultFamily family() {
      return FaultFamily.REDIS_PAUSE;
    }
  },
  DB_SLOW_COMMIT("db-slow-commit", 3, "every COMMIT takes 150 ms longer") {
    @Override
    public Undo begin(Target target, Duration lasts) {
      return meddle(target, command -> command.name().equals("COMMIT") && delayed(command));
    }

    @Override
    public FaultFamily family() {
      return FaultFamily.DB_FAILURE;
    }
  };

  private static final Duration DELAY = Duration.ofMillis(150);

  private final String title;
  private final int usualSeconds;
  private final String meaning;

  WireFault(String title, int usualSeconds, String meaning) {
    this.title = title;
    this.usualSeconds = usualSeconds;
    this.meaning = meaning;
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
    Queue<Command> held = new ConcurrentLinkedQueue<>();
    target.meddler().meddle(command -> isCutOff(target, store, command) && held.add(command));
    return () -> {
      target.meddler().stop();
      for (Command command = held.poll(); command != null; command = held.poll()) {
        command.forward();
      }
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

  @Override
  public String title() {
    return title;
  }

  @Override
  public FaultFamily family() {
    return FaultFamily.NETWORK;
  }

  @Override
  public String meaning() {
    return meaning;
  }

  @Override
  public Duration usualWindow() {
    return Duration.ofSeconds(usualSeconds);
  }

  @Override
  public boolean losesRedisData() {
    return false;
  }

  @Override
  public boolean needsOwnServer() {
    return false;
  }
}
