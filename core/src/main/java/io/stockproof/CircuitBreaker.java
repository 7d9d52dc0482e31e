package io.stockproof;

import io.stockproof.IssuanceListener.Circuit;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Keeps callers from queueing for a gate that does not answer. After some failures in a row it
 * opens: nobody asks for a while. Then one request at a time asks for all; the first answer closes
 * it. No thread of its own; safe for use by any thread.
 */
final class CircuitBreaker {

  /** In place of a ticket: do not ask. */
  static final long REFUSED = -1;

  private final int mostFailures;
  private final long pauseNanos;
  private final long probeNanos;
  private final LongSupplier nanoClock;
  private final Consumer<Circuit> listener;

  private Circuit state = Circuit.CLOSED;

  /** Goes up with the state, so that reports of requests from before a change count no more. */
  private long generation;

  private int failures;
  private long sinceNanos;

  /**
   * Starts closed.
   *
   * @param mostFailures in a row that open it; 0: never
   * @param pause how long nobody asks
   * @param probe how long the one that asks may take to report, before another may ask
   * @param listener told of each change, on the thread that caused it
   */
  CircuitBreaker(
      int mostFailures,
      Duration pause,
      Duration probe,
      LongSupplier nanoClock,
      Consumer<Circuit> listener) {
    this.mostFailures = mostFailures;
    this.pauseNanos = pause.toNanos();
    this.probeNanos = probe.toNanos();
    this.nanoClock = nanoClock;
    this.listener = listener;
  }

  /** A ticket to report with, or {@link #REFUSED}. */
  long ask() {
    boolean changed = false;
    long ticket;
    synchronized (this) {
      if (state != Circuit.CLOSED) {
        long wait = state == Circuit.OPEN ? pauseNanos : probeNanos;
        if (nanoClock.getAsLong() - sinceNanos < wait) {
          return REFUSED;
        }
        changed = enter(Circuit.HALF_OPEN);
      }
      ticket = generation;
    }
    tell(changed, Circuit.HALF_OPEN);
    return ticket;
  }

  /** The gate answered, whatever it said. */
  void answered(long ticket) {
    boolean changed = false;
    synchronized (this) {
      if (ticket == generation) {
        failures = 0;
        changed = state != Circuit.CLOSED && enter(Circuit.CLOSED);
      }
    }
    tell(changed, Circuit.CLOSED);
  }

  /** The gate did not answer. */
  void unanswered(long ticket) {
    boolean changed = false;
    synchronized (this) {
      if (ticket == generation && mostFailures > 0) {
        failures++;
        changed = (state == Circuit.HALF_OPEN || failures == mostFailures) && enter(Circuit.OPEN);
      }
    }
    tell(changed, Circuit.OPEN);
  }

  private boolean enter(Circuit next) {
    boolean changed = state != next;
    state = next;
    generation++;
    failures = 0;
    sinceNanos = nanoClock.getAsLong();
    return changed;
  }

  private void tell(boolean changed, Circuit next) {
    if (changed) {
      listener.accept(next);
    }
  }
}
