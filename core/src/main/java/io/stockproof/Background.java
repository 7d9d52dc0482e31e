package io.stockproof;

import io.stockproof.gate.GateException;
import io.stockproof.gate.Replies;
import io.stockproof.gate.StockGate;
import io.stockproof.ledger.Deadline;
import io.stockproof.ledger.IssuanceLedger;
import io.stockproof.ledger.LedgerException;
import io.stockproof.recovery.Rebuilder;
import io.stockproof.recovery.Reconciler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done off the callers' path: confirms in batches, releases that found no time or no
 * answer, rebuilds. In threads of its own, or only when asked.
 */
final class Background implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Background.class);

  /** Beyond this, steps are dropped: their reservations are resolved once they are too old. */
  private static final int MOST_STEPS = 100_000;

  private static final int MOST_AT_ONCE = 4 * StockGate.MAX_USERS;
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(100);

  private static final int MOST_WATCHED = 100_000;
  private static final int PAGE = 1000;

  /** Less than the keys live on after the window, so that a gate at its end is not made again. */
  private static final Duration WATCHED_AFTER_WINDOW = Duration.ofHours(12);

  /** Passes in between do not ask the database about a gate that has not changed. */
  private static final int PASSES_TO_A_FULL_ONE = 12;

  /** A coupon is not rebuilt more often, so that a broken one costs little. */
  private static final Duration BETWEEN_REBUILDS = Duration.ofSeconds(1);

  private final StockGate gate;
  private final IssuanceLedger ledger;
  private final Rebuilder rebuilder;
  private final Reconciler reconciler;
  private final RefusalMemory memory;
  private final Duration patience;
  private final Duration reconcilePeriod;
  private final LongSupplier nanoClock;
  private final LinkedBlockingQueue<Step> steps = new LinkedBlockingQueue<>(MOST_STEPS);
  private final LinkedBlockingQueue<Long> rebuilds = new LinkedBlockingQueue<>(MOST_STEPS);
  private final Set<Long> rebuildsWanted = ConcurrentHashMap.newKeySet();
  private final Map<Long, Long> rebuiltAtNanos = new ConcurrentHashMap<>();
  private final Set<Long> watched = new ConcurrentSkipListSet<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;

  Background(
      StockGate gate,
      IssuanceLedger ledger,
      Rebuilder rebuilder,
      Reconciler reconciler,
      RefusalMemory memory,
      Duration patience,
      Duration reconcilePeriod,
      LongSupplier nanoClock) {
    this.gate = gate;
    this.ledger = ledger;
    this.rebuilder = rebuilder;
    this.reconciler = reconciler;
    this.memory = memory;
    this.patience = patience;
    this.reconcilePeriod = reconcilePeriod;
    this.nanoClock = nanoClock;
  }

  /** One thing to do at the gate. */
  private sealed interface Step {
    long couponId();
  }

  private record Confirm(long couponId, String userId) implements Step {}

  private record Release(long couponId, String userId, String token) implements Step {}

  private record Exhausted(long couponId, String userId, String token) implements Step {}

  void startThreads() {
    start("stockproof-resolver", this::resolveForever);
    start("stockproof-recovery", this::recoverForever);
  }

  private void start(String name, Runnable work) {
    Runnable unbroken =
        () -> {
          while (!closed) {
            try {
              work.run();
            } catch (RuntimeException e) {
              // A bug; without this thread reservations would be left as they are.
              log.error("event=background-failed thread={}", name, e);
            }
          }
        };
    Thread thread = new Thread(unbroken, name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  void confirm(long couponId, String userId) {
    add(new Confirm(couponId, userId));
  }

  void release(Request request) {
    add(new Release(request.couponId(), request.userId(), request.token()));
  }

  void exhausted(Request request) {
    add(new Exhausted(request.couponId(), request.userId(), request.token()));
  }

  /** This instance has seen a gate of this coupon: its reservations are looked after from here. */
  void watch(long couponId) {
    if (!watched.contains(couponId) && watched.size() < MOST_WATCHED) {
      watched.add(couponId);
    }
  }

  /** False if one is wanted already: whoever is first asks for all (no stampede). */
  boolean rebuild(long couponId) {
    return rebuildsWanted.add(couponId) && queueRebuild(couponId);
  }

  boolean rebuildWanted(long couponId) {
    return rebuildsWanted.contains(couponId);
  }

  private void add(Step step) {
    if (!steps.offer(step)) {
      log.debug("event=step-dropped coupon={}", step.couponId());
    }
  }

  /**
   * Does on the caller's thread what is waiting: confirms, releases, rebuilds.
   *
   * @throws StoreUnavailableException if a store did not answer; what failed is kept
   */
  synchronized void resolveNow() {
    List<Step> failed = new ArrayList<>();
    List<Step> batch = new ArrayList<>();
    while (steps.drainTo(batch, MOST_AT_ONCE) > 0) {
      failed.addAll(resolve(batch));
      batch.clear();
    }
    failed.forEach(this::add);
    if (!rebuildWaiting() || !failed.isEmpty()) {
      throw new StoreUnavailableException("background work is not finished", null);
    }
  }

  /**
   * The reconciler's turn, on the caller's thread, for every coupon that this instance was asked
   * for.
   *
   * @throws StoreUnavailableException if a store did not answer; what failed is kept
   */
  synchronized void reconcileNow() {
    resolveNow();
    boolean recovered = true;
    for (long couponId : watched) {
      recovered &= reconcileOnce(couponId, true);
      if (reconciler.suspects(couponId)) {
        recovered &= reconcileOnce(couponId, true);
      }
    }
    recovered &= rebuildWaiting();
    if (!recovered) {
      throw new StoreUnavailableException("background work is not finished", null);
    }
  }

  private boolean rebuildWaiting() {
    List<Long> waiting = new ArrayList<>();
    rebuilds.drainTo(waiting);
    boolean rebuilt = true;
    for (long couponId : waiting) {
      rebuilt &= rebuildOnce(couponId);
    }
    return rebuilt;
  }

  private void resolveForever() {
    List<Step> batch = new ArrayList<>();
    while (!closed || !steps.isEmpty()) {
      try {
        Step first = steps.poll(PAUSE_AFTER_FAILURE.toMillis(), TimeUnit.MILLISECONDS);
        if (first == null) {
          continue;
        }
        batch.add(first);
        steps.drainTo(batch, MOST_AT_ONCE - 1);
        List<Step> failed = resolve(batch);
        batch.clear();
        if (!failed.isEmpty()) {
          if (closed) {
            return;
          }
          TimeUnit.MILLISECONDS.sleep(PAUSE_AFTER_FAILURE.toMillis());
          failed.forEach(this::add);
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Sends all, then waits for all; returns what failed. */
  private List<Step> resolve(List<Step> batch) {
    Map<Long, Set<String>> confirms = new LinkedHashMap<>();
    Map<List<Step>, CompletableFuture<?>> sent = new LinkedHashMap<>();
    for (Step step : batch) {
      if (step instanceof Confirm confirm) {
        Set<String> users =
            confirms.computeIfAbsent(confirm.couponId, coupon -> new LinkedHashSet<>());
        users.add(confirm.userId);
        if (users.size() == StockGate.MAX_USERS) {
          confirms.remove(confirm.couponId);
          send(sent, confirm.couponId, users);
        }
      } else if (step instanceof Release release) {
        sent.put(List.of(step), gate.release(release.couponId, release.userId, release.token));
      } else if (step instanceof Exhausted exhausted) {
        sent.put(
            List.of(step), gate.exhausted(exhausted.couponId, exhausted.userId, exhausted.token));
      }
    }
    confirms.forEach((coupon, users) -> send(sent, coupon, users));

    long endNanos = nanoClock.getAsLong() + patience.toNanos();
    List<Step> failed = new ArrayList<>();
    sent.forEach(
        (what, reply) -> {
          try {
            Replies.await(reply, endNanos - nanoClock.getAsLong());
          } catch (GateException e) {
            log.debug("event=resolve-failed steps={} reason={}", what.size(), e.getMessage());
            failed.addAll(what);
          }
        });
    return failed;
  }

  private void send(Map<List<Step>, CompletableFuture<?>> sent, long couponId, Set<String> users) {
    List<Step> what = users.stream().<Step>map(user -> new Confirm(couponId, user)).toList();
    sent.put(what, gate.confirm(couponId, List.copyOf(users)));
  }

  private void recoverForever() {
    long passes = 0;
    long nextNanos = nanoClock.getAsLong() + reconcilePeriod.toNanos();
    while (!closed) {
      try {
        if (nanoClock.getAsLong() - nextNanos >= 0) {
          reconcileAll(passes++ % PASSES_TO_A_FULL_ONE == 0);
          nextNanos = nanoClock.getAsLong() + reconcilePeriod.toNanos();
        }
        Long couponId = rebuilds.poll(PAUSE_AFTER_FAILURE.toMillis(), TimeUnit.MILLISECONDS);
        if (couponId != null && !closed) {
          Long before = rebuiltAtNanos.get(couponId);
          if (before != null && nanoClock.getAsLong() - before < BETWEEN_REBUILDS.toNanos()) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_AFTER_FAILURE.toMillis());
            rebuilds.offer(couponId);
          } else if (!rebuildOnce(couponId)) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_AFTER_FAILURE.toMillis());
          }
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** All that were seen here; in a full pass also those that only instances now dead have seen. */
  private void reconcileAll(boolean full) {
    if (full) {
      watchCouponsOfLedger();
    }
    for (long couponId : watched) {
      if (closed) {
        return;
      }
      reconcileOnce(couponId, full);
    }
  }

  private void watchCouponsOfLedger() {
    Set<Long> current = new HashSet<>();
    try {
      long after = 0;
      List<Long> page;
      do {
        page = ledger.coupons(WATCHED_AFTER_WINDOW, after, PAGE, Deadline.in(patience, nanoClock));
        current.addAll(page);
        after = page.isEmpty() ? after : page.get(page.size() - 1);
      } while (page.size() == PAGE && current.size() < MOST_WATCHED);
    } catch (LedgerException e) {
      log.warn("event=reconcile-failed reason={}", e.getMessage());
      return;
    }
    watched.stream().filter(coupon -> !current.contains(coupon)).forEach(reconciler::forget);
    watched.retainAll(current);
    watched.addAll(current);
  }

  /** False if a store did not answer; the next pass tries again. */
  private boolean reconcileOnce(long couponId, boolean full) {
    try {
      if (reconciler.reconcile(couponId, full)) {
        rebuild(couponId);
      }
      return true;
    } catch (GateException | LedgerException e) {
      log.warn("event=reconcile-failed coupon={} reason={}", couponId, e.getMessage());
      return false;
    }
  }

  /** False if it is to be done again; it is queued for that. */
  private boolean rebuildOnce(long couponId) {
    try {
      Rebuilder.Result result = rebuilder.rebuild(couponId);
      switch (result) {
        case BUILT -> {
          rebuiltAtNanos.put(couponId, nanoClock.getAsLong());
          memory.forget(couponId);
        }
        case NO_COUPON -> memory.remember(couponId, IssueOutcome.NOT_OPEN);
        // Alive elsewhere. Should it die, the next request finds its lease run out.
        case BUSY -> {}
      }
      rebuildsWanted.remove(couponId);
      return true;
    } catch (GateException | LedgerException e) {
      log.warn("event=rebuild-failed coupon={} reason={}", couponId, e.getMessage());
      queueRebuild(couponId);
      return false;
    } catch (RuntimeException e) {
      // Not asked for any more, so that the next one who finds the gate missing can ask again.
      rebuildsWanted.remove(couponId);
      throw e;
    }
  }

  private boolean queueRebuild(long couponId) {
    boolean queued = rebuilds.offer(couponId);
    if (!queued) {
      rebuildsWanted.remove(couponId);
    }
    return queued;
  }

  /** Finishes what is waiting, as far as the stores answer in time, and ends the threads. */
  @Override
  public void close() {
    closed = true;
    try {
      for (Thread thread : threads) {
        thread.join(2 * patience.toMillis());
        if (thread.isAlive()) {
          thread.interrupt();
        }
      }
    } catch (InterruptedException e) {
      threads.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
    }
  }
}
