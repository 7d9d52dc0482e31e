package io.stockproof.verification.stress;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.history.Call;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes calls on threads of its own, each when it is due, and gives up those that hang. Used by one
 * thread.
 */
public final class Callers {
  private static final Logger LOG = LoggerFactory.getLogger(Callers.class);
  private static final long WATCH_MILLIS = 20;

  /** A call may be dropped while it waits for its time. */
  private static final long MOST_PARK_NANOS = 50_000_000;

  private final Environment environment;
  private final Subject subject;
  private final List<Subject.Instance> instances;
  private final Duration callDeadline;
  private final AtomicLong clock;
  private final ReentrantLock turn = new ReentrantLock();
  private int nextId;

  /**
   * Calls these instances.
   *
   * @param callDeadline a call that takes longer hangs (R306), and is given up
   * @param clock the logical clock of the run, shared with whoever keeps its books
   */
  public Callers(
      Environment environment,
      Subject subject,
      List<Subject.Instance> instances,
      Duration callDeadline,
      AtomicLong clock) {
    this.environment = environment;
    this.subject = subject;
    this.instances = List.copyOf(instances);
    this.callDeadline = callDeadline;
    this.clock = clock;
  }

  /**
   * What became of the calls.
   *
   * @param timed those that were begun, but for those that were dropped at the deadline
   * @param complete whether all were begun and none was given up
   * @param leftOpen whether any was dropped while it was made: rows may come of it, or may have
   */
  public record Made(List<TimedCall> timed, boolean complete, boolean leftOpen) {
    /** Copies the list. */
    public Made {
      timed = List.copyOf(timed);
    }

    /** Those that were begun. */
    public List<Call> calls() {
      return timed.stream().map(TimedCall::call).toList();
    }
  }

  /**
   * Makes the calls; returns when all ended or were given up, or at the deadline.
   *
   * @param planned in order of their due times
   * @param threads callers at the same time: where all of them wait, further calls begin late
   */
  public Made make(List<PlannedCall> planned, int threads, Duration deadline)
      throws InterruptedException {
    long origin = System.nanoTime();
    List<CallSlot> slots =
        planned.stream().map(call -> new CallSlot(nextId++, call, origin)).toList();
    Queue<CallSlot> queue = new ConcurrentLinkedQueue<>(slots);
    CountDownLatch ready = new CountDownLatch(Math.min(threads, slots.size()));
    for (int i = 0; i < Math.min(threads, slots.size()); i++) {
      startCaller(queue, ready);
    }
    boolean complete = watch(slots, queue, System.nanoTime() + deadline.toNanos());
    List<TimedCall> timed = slots.stream().map(CallSlot::toCall).filter(Objects::nonNull).toList();
    boolean leftOpen = slots.stream().anyMatch(CallSlot::leftOpen);
    return new Made(timed, complete && timed.size() == slots.size(), leftOpen);
  }

  private void startCaller(Queue<CallSlot> queue, CountDownLatch ready) {
    Thread thread = new Thread(() -> makeFrom(queue, ready), "stockproof-stress-caller");
    thread.setDaemon(true);
    thread.start();
  }

  private void makeFrom(Queue<CallSlot> queue, CountDownLatch ready) {
    ready.countDown();
    try {
      ready.await();
    } catch (InterruptedException givenUp) {
      return;
    }
    for (CallSlot slot = next(queue); slot != null; slot = next(queue)) {
      if (!make(slot)) {
        return;
      }
    }
  }

  /** False if the call was given up meanwhile: a replacement of this thread goes on then. */
  private boolean make(CallSlot slot) {
    PlannedCall call = slot.planned();
    IssueOutcome outcome = null;
    String error = null;
    if (!slot.started(clock.incrementAndGet())) {
      return false;
    }
    try {
      outcome = instances.get(call.instance()).issue(call.couponId(), call.userId());
    } catch (InstanceDiedException died) {
      slot.cutOff();
      return true;
    } catch (Exception escaped) {
      error = escaped.getClass().getSimpleName() + ": " + escaped.getMessage();
    }
    boolean inTime = slot.ended(clock.incrementAndGet(), outcome, error);
    if (inTime && (outcome == IssueOutcome.ISSUED || outcome == IssueOutcome.DUPLICATE)) {
      lookForRow(slot);
    }
    return inTime;
  }

  /**
   * The next call, when it is due; null if there is none, or it was dropped with all others. One
   * caller at a time waits for that, the others for it.
   */
  private @Nullable CallSlot next(Queue<CallSlot> queue) {
    turn.lock();
    try {
      CallSlot slot = queue.poll();
      while (slot != null && !slot.isOver() && slot.dueNanos() - System.nanoTime() > 0) {
        LockSupport.parkNanos(Math.min(slot.dueNanos() - System.nanoTime(), MOST_PARK_NANOS));
      }
      return slot == null || slot.isOver() ? null : slot;
    } finally {
      turn.unlock();
    }
  }

  private void lookForRow(CallSlot slot) {
    PlannedCall call = slot.planned();
    try {
      slot.rowAtEnd(subject.holds(environment, call.couponId(), call.userId()));
    } catch (Exception unanswered) {
      LOG.debug("lookup=failed coupon={}", call.couponId(), unanswered);
    }
  }

  private boolean watch(List<CallSlot> slots, Queue<CallSlot> queue, long untilNanos)
      throws InterruptedException {
    boolean complete = true;
    CountDownLatch noOthers = new CountDownLatch(0);
    int firstRunning = 0;
    while (true) {
      while (firstRunning < slots.size() && slots.get(firstRunning).isOver()) {
        firstRunning++;
      }
      if (firstRunning == slots.size()) {
        return complete;
      }
      if (System.nanoTime() > untilNanos) {
        queue.clear();
        slots.forEach(CallSlot::drop);
        return false;
      }
      for (CallSlot slot : slots.subList(firstRunning, slots.size())) {
        if (!slot.isBegun() && slot.dueNanos() - System.nanoTime() > 0) {
          break;
        }
        if (slot.giveUpAfter(callDeadline)) {
          complete = false;
          startCaller(queue, noOthers);
        }
      }
      TimeUnit.MILLISECONDS.sleep(WATCH_MILLIS);
    }
  }
}
