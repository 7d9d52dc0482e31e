package io.stockproof.verification.stress;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.history.Call;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One call while it is made: written by its caller, given up by the watch. Thread-safe. */
final class CallSlot {
  private final int id;
  private final PlannedCall planned;
  private final long dueNanos;
  private @Nullable Thread caller;
  private long start;
  private long startedNanos;
  private long endedNanos;
  private long end = Call.NEVER;
  private boolean over;
  private boolean dropped;
  private boolean cutOff;
  private @Nullable IssueOutcome outcome;
  private @Nullable String error;
  private @Nullable Boolean rowAtEnd;

  CallSlot(int id, PlannedCall planned, long originNanos) {
    this.id = id;
    this.planned = planned;
    this.dueNanos = originNanos + planned.due().toNanos();
  }

  /** By {@link System#nanoTime}. */
  long dueNanos() {
    return dueNanos;
  }

  PlannedCall planned() {
    return planned;
  }

  /** False if it was dropped before: then it must not be made. */
  synchronized boolean started(long moment) {
    if (over) {
      return false;
    }
    caller = Thread.currentThread();
    start = moment;
    startedNanos = System.nanoTime();
    return true;
  }

  /** False if it had been given up before. */
  synchronized boolean ended(long moment, @Nullable IssueOutcome told, @Nullable String escaped) {
    if (over) {
      return false;
    }
    over = true;
    endedNanos = System.nanoTime();
    end = moment;
    outcome = told;
    error = escaped;
    return true;
  }

  /** The instance died under it. */
  synchronized void cutOff() {
    if (!over) {
      over = true;
      cutOff = true;
      endedNanos = System.nanoTime();
    }
  }

  synchronized void rowAtEnd(boolean held) {
    rowAtEnd = held;
  }

  synchronized boolean isBegun() {
    return caller != null;
  }

  synchronized boolean isOver() {
    return over;
  }

  /** Gives the call up if it takes longer than this; true if it was given up now. */
  synchronized boolean giveUpAfter(Duration deadline) {
    Thread running = caller;
    if (over || running == null || System.nanoTime() - startedNanos < deadline.toNanos()) {
      return false;
    }
    over = true;
    endedNanos = System.nanoTime();
    running.interrupt();
    return true;
  }

  /** Ends the call without a trace: the run is out of time, which says nothing about the call. */
  synchronized void drop() {
    if (!over) {
      over = true;
      dropped = true;
      if (caller != null) {
        caller.interrupt();
      }
    }
  }

  /** Whether it was begun and dropped: it may have written a row, and {@link #toCall} is null. */
  synchronized boolean leftOpen() {
    return caller != null && dropped;
  }

  /** Null if the call was never begun, or was dropped. */
  synchronized @Nullable TimedCall toCall() {
    if (caller == null || dropped) {
      return null;
    }
    Call call =
        new Call(
            id,
            planned.phase(),
            planned.userId(),
            planned.couponId(),
            planned.instance(),
            start,
            end,
            outcome,
            error,
            cutOff,
            rowAtEnd,
            null);
    return new TimedCall(call, dueNanos, endedNanos);
  }
}
