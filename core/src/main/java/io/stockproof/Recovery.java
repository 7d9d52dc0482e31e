package io.stockproof;

import io.stockproof.gate.GateException;
import io.stockproof.ledger.LedgerException;
import io.stockproof.recovery.Rebuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides which coupons are reconciled and rebuilt, and when. */
final class Recovery {

  private static final Logger log = LoggerFactory.getLogger(Recovery.class);

  private static final int MOST_WATCHED = 100_000;
  private static final int PAGE = 1000;

  /** Less than the keys live on after the window, so that a gate at its end is not made again. */
  private static final Duration WATCHED_AFTER_WINDOW = Duration.ofHours(12);

  /** A coupon is not rebuilt more often, so that a broken one costs little. */
  private static final Duration BETWEEN_REBUILDS = Duration.ofSeconds(1);

  private final Parts parts;
  private final LinkedBlockingQueue<Wanted> rebuilds = new LinkedBlockingQueue<>(MOST_WATCHED);
  private final Set<Long> rebuildsWanted = ConcurrentHashMap.newKeySet();
  private final Map<Long, Long> rebuiltAtNanos = new ConcurrentHashMap<>();
  private final Set<Long> watched = new ConcurrentSkipListSet<>();

  Recovery(Parts parts) {
    this.parts = parts;
  }

  /** A rebuild to do; one of a missing gate is done with if another instance was faster. */
  private record Wanted(long couponId, boolean onlyIfMissing) {}

  /** This instance has seen a gate of this coupon: its reservations are looked after from here. */
  void watch(long couponId) {
    if (!watched.contains(couponId) && watched.size() < MOST_WATCHED) {
      watched.add(couponId);
    }
  }

  /** Wants a missing gate made; whoever is first asks for all (no stampede). */
  void rebuildMissing(long couponId) {
    want(new Wanted(couponId, true));
  }

  /** Wants a gate that is in service, but wrong, made anew. */
  void rebuild(long couponId) {
    want(new Wanted(couponId, false));
  }

  boolean rebuildWanted(long couponId) {
    return rebuildsWanted.contains(couponId);
  }

  private void want(Wanted wanted) {
    if (rebuildsWanted.add(wanted.couponId)) {
      queue(wanted);
    }
  }

  private void queue(Wanted wanted) {
    if (!rebuilds.offer(wanted)) {
      rebuildsWanted.remove(wanted.couponId);
    }
  }

  /** Does the rebuilds that wait; false if a store did not answer and one is to be done again. */
  boolean rebuildAll() {
    List<Wanted> waiting = new ArrayList<>();
    rebuilds.drainTo(waiting);
    boolean rebuilt = true;
    for (Wanted wanted : waiting) {
      rebuilt &= rebuildOnce(wanted);
    }
    return rebuilt;
  }

  /** Waits for a rebuild and does it; false if the next one had better wait. */
  boolean rebuildNext(long waitMillis) throws InterruptedException {
    Wanted wanted = rebuilds.poll(waitMillis, TimeUnit.MILLISECONDS);
    if (wanted == null) {
      return true;
    }
    Long before = rebuiltAtNanos.get(wanted.couponId);
    if (before != null && parts.nanoTime() - before < BETWEEN_REBUILDS.toNanos()) {
      queue(wanted);
      return false;
    }
    return rebuildOnce(wanted);
  }

  private boolean rebuildOnce(Wanted wanted) {
    long couponId = wanted.couponId;
    try {
      if (!wanted.onlyIfMissing || !parts.await(parts.gate().inspect(couponId)).inService()) {
        note(couponId, parts.rebuild(couponId));
      }
      rebuildsWanted.remove(couponId);
      return true;
    } catch (GateException | LedgerException e) {
      log.warn("event=rebuild-failed coupon={} reason={}", couponId, e.getMessage());
      queue(wanted);
      return false;
    } catch (RuntimeException e) {
      // Not asked for any more, so that the next one who finds the gate missing can ask again.
      rebuildsWanted.remove(couponId);
      throw e;
    }
  }

  private void note(long couponId, Rebuilder.Result result) {
    switch (result) {
      case BUILT -> rebuiltAtNanos.put(couponId, parts.nanoTime());
      case NO_COUPON -> parts.memory().remember(couponId, IssueOutcome.NOT_OPEN);
      // Alive elsewhere. Should it die, the next request finds its lease run out.
      case BUSY -> {}
    }
  }

  /** Reconciles what was asked for here, twice what looks wrong; false if a store failed. */
  boolean reconcileWatched() {
    boolean recovered = true;
    for (long couponId : watched) {
      recovered &= reconcileOnce(couponId, true);
      if (parts.reconciler().suspects(couponId)) {
        recovered &= reconcileOnce(couponId, true);
      }
    }
    return recovered;
  }

  /** All coupons whose keys may live, also those that only instances now dead have seen. */
  void watchCouponsOfLedger() {
    Set<Long> current = new HashSet<>();
    try {
      long after = 0;
      List<Long> page;
      do {
        page = parts.ledger().coupons(WATCHED_AFTER_WINDOW, after, PAGE, parts.deadline());
        current.addAll(page);
        after = page.isEmpty() ? after : page.get(page.size() - 1);
      } while (page.size() == PAGE && current.size() < MOST_WATCHED);
    } catch (LedgerException e) {
      log.warn("event=reconcile-failed reason={}", e.getMessage());
      return;
    }
    for (long couponId : watched) {
      if (!current.contains(couponId)) {
        parts.reconciler().forget(couponId);
        rebuiltAtNanos.remove(couponId);
      }
    }
    watched.retainAll(current);
    watched.addAll(current);
  }

  /** The coupons looked after from here, in the order of their ids. */
  Set<Long> watched() {
    return watched;
  }

  /** What was left open before this instance started goes into the log, a line each. */
  void survey(long couponId) {
    try {
      parts.reconciler().survey(couponId);
    } catch (GateException | LedgerException e) {
      log.warn("event=survey-failed coupon={} reason={}", couponId, e.getMessage());
    }
  }

  /** False if a store did not answer; the next pass tries again. */
  boolean reconcileOnce(long couponId, boolean full) {
    try {
      switch (parts.reconcile(couponId, full).gate()) {
        case IN_STEP, NO_COUPON -> {}
        case MISSING -> rebuildMissing(couponId);
        case OUT_OF_STEP -> rebuild(couponId);
      }
      return true;
    } catch (GateException | LedgerException e) {
      log.warn("event=reconcile-failed coupon={} reason={}", couponId, e.getMessage());
      return false;
    }
  }
}
