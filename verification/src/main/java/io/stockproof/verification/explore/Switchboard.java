package io.stockproof.verification.explore;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.wire.Command;
import io.stockproof.verification.wire.Reply;
import io.stockproof.verification.wire.Traffic;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where the wires of all instances end: hands what passes to the run that is being steered, or lets
 * it through when none is. Safe for use by any number of threads.
 */
final class Switchboard implements Traffic {

  /** Something a run must know of. */
  sealed interface Event {
    /** A command waits for a decision. */
    record Arrived(Command command) implements Event {}

    /** A command was executed. */
    record Replied(Command command, Reply reply) implements Event {}

    /** The connection of a client ended. */
    record Closed(int connection) implements Event {}

    /** What came late can no longer be delivered. */
    record Undelivered(Actor actor) implements Event {}

    /** A call returned to its caller. */
    record Returned(Actor actor, @Nullable IssueOutcome outcome, @Nullable String error)
        implements Event {}

    /** An actor's thread has nothing more to do. */
    record Finished(Actor actor) implements Event {}
  }

  private final Queue<Event> events = new ConcurrentLinkedQueue<>();
  private volatile @Nullable Thread waiting;
  private final Map<String, Integer> open = new ConcurrentHashMap<>();
  private final Set<String> dead = ConcurrentHashMap.newKeySet();
  private final AtomicLong passed = new AtomicLong();
  private volatile boolean steering;

  /** Holds commands from here on. */
  void steer() {
    synchronized (events) {
      events.clear();
      steering = true;
    }
  }

  /** Lets everything through from here on, and what is held as well. */
  void release() {
    synchronized (events) {
      steering = false;
      for (Event event = events.poll(); event != null; event = events.poll()) {
        if (event instanceof Event.Arrived arrived) {
          arrived.command().forward();
        }
      }
    }
  }

  /** Commands that went through while none were held, of all instances. */
  long passed() {
    return passed.get();
  }

  /** Connections of an instance that are open now. */
  int open(String instance) {
    return open.getOrDefault(instance, 0);
  }

  /** Nothing of this instance goes anywhere any more. */
  void bury(String instance) {
    dead.add(instance);
  }

  /**
   * The next event, or null if there is none in time. A reply alone does not end the wait: what the
   * client does with it will arrive soon, and every waking of a thread costs.
   */
  @Nullable Event poll(long nanos) throws InterruptedException {
    Event event = events.poll();
    if (event != null || nanos <= 0) {
      return event;
    }
    long deadline = System.nanoTime() + nanos;
    waiting = Thread.currentThread();
    try {
      for (event = events.poll(); event == null; event = events.poll()) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return null;
        }
        LockSupport.parkNanos(this, left);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
      return event;
    } finally {
      waiting = null;
    }
  }

  void tell(Event event) {
    if (steering) {
      add(event);
    }
  }

  private void add(Event event) {
    events.add(event);
    Thread scheduler = waiting;
    boolean moreFollows = event instanceof Event.Replied || event instanceof Event.Returned;
    if (scheduler != null && !moreFollows) {
      LockSupport.unpark(scheduler);
    }
  }

  @Override
  public void arrived(Command command) {
    if (dead.contains(command.instance())) {
      command.cutBefore();
      return;
    }
    if (steering) {
      synchronized (events) {
        if (steering) {
          add(new Event.Arrived(command));
          return;
        }
      }
    }
    passed.incrementAndGet();
    command.forward();
  }

  @Override
  public void replied(Command command, Reply reply) {
    if (!command.housekeeping()) {
      tell(new Event.Replied(command, reply));
    }
  }

  @Override
  public void connectionOpened(int connection, String instance, Command.Store store) {
    open.merge(instance, 1, Integer::sum);
  }

  @Override
  public void connectionClosed(int connection, String instance, Command.Store store) {
    open.merge(instance, -1, Integer::sum);
    tell(new Event.Closed(connection));
  }
}
