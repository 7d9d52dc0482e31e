package io.stockproof.verification.explore;

import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.wire.ProxiedEndpoints;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application instances of a search, each behind proxies of its own. They live from run to run;
 * one that was killed is replaced by a new one. Used by the scheduler's thread; what is killed is
 * cleared away on another.
 */
final class Instances implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Instances.class);
  private static final int POOL_SIZE = 4;
  private static final long MOST_RECONNECT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Environment environment;
  private final Subject subject;
  private final Switchboard board;
  private final ExecutorService workers;
  private final List<@Nullable Live> slots = new ArrayList<>();
  private final Map<String, Integer> slotOfLabel = new ConcurrentHashMap<>();
  private int started;

  Instances(Environment environment, Subject subject, Switchboard board, ExecutorService workers) {
    this.environment = environment;
    this.subject = subject;
    this.board = board;
    this.workers = workers;
  }

  /** An instance and what stands between it and the servers. */
  private static final class Live {
    final String label;
    final ProxiedEndpoints endpoints;
    final Subject.Instance instance;
    int connections;

    Live(String label, ProxiedEndpoints endpoints, Subject.Instance instance) {
      this.label = label;
      this.endpoints = endpoints;
      this.instance = instance;
    }
  }

  /**
   * Has this many instances ready, starting those that are missing.
   *
   * @return whether any was started
   */
  boolean ready(int count) throws Exception {
    boolean any = false;
    while (slots.size() < count) {
      slots.add(null);
    }
    for (int slot = 0; slot < count; slot++) {
      if (slots.get(slot) == null) {
        slots.set(slot, start(slot));
        any = true;
      }
    }
    return any;
  }

  private Live start(int slot) throws Exception {
    String label = subject.name() + "-" + started++;
    slotOfLabel.put(label, slot);
    ProxiedEndpoints endpoints = new ProxiedEndpoints(environment, label, POOL_SIZE, board);
    try {
      return new Live(label, endpoints, subject.start(endpoints));
    } catch (Exception failed) {
      endpoints.close();
      throw failed;
    }
  }

  /** Takes note of how many connections each instance keeps when all is well. */
  void keepConnections() {
    for (Live live : slots) {
      if (live != null) {
        live.connections = Math.max(live.connections, board.open(live.label));
      }
    }
  }

  /**
   * Waits until what was cut is connected again, as far as that happens by itself: the next run
   * must not see it.
   */
  void awaitConnections() throws InterruptedException {
    long deadline = System.nanoTime() + MOST_RECONNECT_NANOS;
    for (Live live : slots) {
      while (live != null
          && board.open(live.label) < live.connections
          && System.nanoTime() < deadline) {
        TimeUnit.MICROSECONDS.sleep(200);
      }
    }
  }

  Subject.Instance get(int slot) {
    Live live = slots.get(slot);
    if (live == null) {
      throw new IllegalStateException("instance " + slot + " is dead");
    }
    return live.instance;
  }

  /** Index of the instance that sends under this label. */
  int slotOf(String label) {
    Integer slot = slotOfLabel.get(label);
    if (slot == null) {
      throw new IllegalStateException("nobody has the label " + label);
    }
    return slot;
  }

  /** The instance is gone as if by SIGKILL: nothing of it reaches a server from here on. */
  void kill(int slot) {
    Live live = slots.get(slot);
    if (live == null) {
      return;
    }
    slots.set(slot, null);
    board.bury(live.label);
    live.endpoints.databaseProxy().close();
    live.endpoints.redisProxy().close();
    workers.execute(() -> clear(live));
  }

  private static void clear(Live live) {
    try {
      live.instance.close();
    } catch (Exception ofADeadInstance) {
      LOG.debug("event=close-of-killed-instance label={}", live.label, ofADeadInstance);
    } finally {
      live.endpoints.close();
    }
  }

  @Override
  public void close() throws Exception {
    List<AutoCloseable> living = new ArrayList<>();
    for (int slot = 0; slot < slots.size(); slot++) {
      Live live = slots.get(slot);
      if (live != null) {
        slots.set(slot, null);
        living.add(() -> clear(live));
      }
    }
    Closing.all(living);
  }
}
