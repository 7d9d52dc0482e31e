package io.stockproof.verification.explore;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.wire.Command;
import io.stockproof.verification.wire.Reply;
import io.stockproof.verification.wire.Traffic;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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

    /** A call returned to its caller. */
    record Returned(Actor actor, @Nullable IssueOutcome outcome, @Nullable String error)
        implements Event {}

    /** An actor's thread has nothing more to do. */
    record Finished(Actor actor) implements Event {}
  }

  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final Map<Integer, Long> statements = new ConcurrentHashMap<>();
  private final Set<String> dead = ConcurrentHashMap.newKeySet();
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

  /** Nothing of this instance goes anywhere any more. */
  void bury(String instance) {
    dead.add(instance);
  }

  /** The next event, or null if there is none in time. */
  @Nullable Event poll(long nanos) throws InterruptedException {
    Event event = events.poll();
    return event != null || nanos <= 0 ? event : events.poll(nanos, TimeUnit.NANOSECONDS);
  }

  void tell(Event event) {
    if (steering) {
      events.add(event);
    }
  }

  /** Commands that were decided about or passed, by connection. */
  long intercepted() {
    return statements.values().stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void arrived(Command command) {
    if (dead.contains(command.instance())) {
      command.cutBefore();
      return;
    }
    statements.merge(command.connection(), 1L, Long::sum);
    if (steering) {
      synchronized (events) {
        if (steering) {
          events.add(new Event.Arrived(command));
          return;
        }
      }
    }
    command.forward();
  }

  @Override
  public void replied(Command command, Reply reply) {
    if (!command.housekeeping()) {
      tell(new Event.Replied(command, reply));
    }
  }

  @Override
  public void connectionClosed(int connection, String instance, Command.Store store) {
    tell(new Event.Closed(connection));
  }
}
