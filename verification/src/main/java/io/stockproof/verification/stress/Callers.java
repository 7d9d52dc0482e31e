package io.stockproof.verification.stress;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.history.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes calls on threads of its own, all released at once, and gives up those that hang. Used by
 * one thread.
 */
final class Callers {
  private static final Logger LOG = LoggerFactory.getLogger(Callers.class);
  private static final long WATCH_MILLIS = 20;

  private final Environment environment;
  private final Subject subject;
  private final List<Subject.Instance> instances;
  private final StressSettings settings;
  private final AtomicLong clock;
  private int nextId;

  Callers(
      Environment environment,
      Subject subject,
      List<Subject.Instance> instances,
      StressSettings settings,
      AtomicLong clock) {
    this.environment = environment;
    this.subject = subject;
    this.instances = List.copyOf(instances);
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * What became of the calls.
   *
   * @param calls those that were begun
   * @param complete whether all were begun and none was given up
   */
  record Made(List<Call> calls, boolean complete) {}

  /** Makes the calls; returns when all ended or were given up, or at the deadline. */
  Made make(List<PlannedCall> planned, int threads, Duration deadline) throws InterruptedException {
    List<CallSlot> slots = planned.stream().map(call -> new CallSlot(nextId++, call)).toList();
    Queue<CallSlot> queue = new ConcurrentLinkedQueue<>(slots);
    CountDownLatch ready = new CountDownLatch(Math.min(threads, slots.size()));
    for (int i = 0; i < Math.min(threads, slots.size()); i++) {
      startCaller(queue, ready);
    }
    boolean complete = watch(slots, queue, System.nanoTime() + deadline.toNanos());
    List<Call> calls = slots.stream().map(CallSlot::toCall).filter(Objects::nonNull).toList();
    return new Made(new ArrayList<>(calls), complete && calls.size() == slots.size());
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
    for (CallSlot slot = queue.poll(); slot != null; slot = queue.poll()) {
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
    slot.started(clock.incrementAndGet());
    try {
      outcome = instances.get(call.instance()).issue(call.couponId(), call.userId());
    } catch (Exception escaped) {
      error = escaped.getClass().getSimpleName() + ": " + escaped.getMessage();
    }
    boolean inTime = slot.ended(clock.incrementAndGet(), outcome, error);
    if (inTime && (outcome == IssueOutcome.ISSUED || outcome == IssueOutcome.DUPLICATE)) {
      lookForRow(slot);
    }
    return inTime;
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
        if (slot.giveUpAfter(settings.callDeadline())) {
          complete = false;
          startCaller(queue, noOthers);
        }
      }
      TimeUnit.MILLISECONDS.sleep(WATCH_MILLIS);
    }
  }
}
