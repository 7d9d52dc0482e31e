package io.stockproof.recovery;

import io.stockproof.gate.GateBooks;
import io.stockproof.gate.GateBooks.Condition;
import io.stockproof.gate.Replies;
import io.stockproof.gate.StockGate;
import io.stockproof.gate.StockGate.Settlement;
import io.stockproof.gate.StockGate.Stale;
import io.stockproof.gate.StockGate.StaleScan;
import io.stockproof.ledger.CouponRow;
import io.stockproof.ledger.Deadline;
import io.stockproof.ledger.IssuanceLedger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resolves reservations whose owners died or stalled, and notices a gate that is out of step. Runs
 * in every instance; doing it twice, or in two instances at once, changes nothing more.
 */
public final class Reconciler {

  private static final Logger log = LoggerFactory.getLogger(Reconciler.class);
  private static final String START = "0";

  private final StockGate gate;
  private final IssuanceLedger ledger;
  private final Duration reservationTimeout;
  private final Duration patience;
  private final LongSupplier nanoClock;

  /** When each gate that is out of step was first seen so. */
  private final Map<Long, Long> suspectSinceNanos = new ConcurrentHashMap<>();

  /** Books that were found in step, at rest: while the gate stays so, the database is not asked. */
  private final Map<Long, GateBooks> inStep = new ConcurrentHashMap<>();

  /**
   * Works on these stores.
   *
   * @param reservationTimeout age at which a reservation is resolved
   * @param patience how long to wait for one step of a store
   */
  public Reconciler(
      StockGate gate,
      IssuanceLedger ledger,
      Duration reservationTimeout,
      Duration patience,
      LongSupplier nanoClock) {
    this.gate = gate;
    this.ledger = ledger;
    this.reservationTimeout = reservationTimeout;
    this.patience = patience;
    this.nanoClock = nanoClock;
  }

  /**
   * Resolves what is too old, then compares the books.
   *
   * @param couponId the coupon
   * @param full whether to ask the database even if the gate is as it was when last in step
   * @return whether the gate is to be rebuilt: it is missing, or was out of step twice, a
   *     reservation timeout apart
   * @throws io.stockproof.gate.GateException if Redis did not answer; it may be repeated
   * @throws io.stockproof.ledger.LedgerException if the database did not answer; likewise
   */
  public boolean reconcile(long couponId, boolean full) {
    String cursor = START;
    do {
      StaleScan scan = await(gate.stale(couponId, reservationTimeout.toMillis(), cursor));
      if (!scan.reservations().isEmpty()) {
        resolve(couponId, scan.reservations());
      }
      cursor = scan.cursor();
    } while (!cursor.equals(START));
    return outOfStep(couponId, full);
  }

  private void resolve(long couponId, List<Stale> reservations) {
    List<String> users = reservations.stream().map(Stale::userId).toList();
    // From here on their owners find another epoch; whoever was in flight has ended either way.
    Optional<IssuanceLedger.Fenced> fenced = ledger.fenceAndLook(couponId, users, deadline());
    if (fenced.isEmpty()) {
      return;
    }
    List<Settlement> settlements =
        reservations.stream()
            .map(
                stale ->
                    new Settlement(
                        stale.userId(),
                        stale.token(),
                        fenced.get().tokenByUser().containsKey(stale.userId())))
            .toList();
    long resolved = await(gate.settle(couponId, fenced.get().epoch(), settlements));
    log.info(
        "event=reconciled coupon={} stale={} resolved={} epoch={}",
        couponId,
        reservations.size(),
        resolved,
        fenced.get().epoch());
  }

  private boolean outOfStep(long couponId, boolean full) {
    if (!full) {
      GateBooks books = await(gate.inspect(couponId));
      if (books.reservations() == 0 && books.equals(inStep.get(couponId))) {
        return false;
      }
    }
    Optional<CouponRow> before = ledger.find(couponId, deadline());
    if (before.isEmpty()) {
      return false;
    }
    GateBooks books = await(gate.inspect(couponId));
    if (!books.inService()) {
      boolean dead = books.condition() == Condition.REBUILDING && books.detail().equals("0");
      return dead || books.condition() == Condition.MISSING;
    }
    long issuedAfter = ledger.find(couponId, deadline()).map(CouponRow::issued).orElse(0L);
    // Beside traffic a row may still have its reservation, so the counter lies between the users
    // that are settled and all of them. At rest the two are one number.
    boolean generous = books.users() < before.get().issued();
    boolean strict = books.users() - books.reservations() > issuedAfter;
    // The stock is always written as this difference; only "exhausted" sets it to 0, and its
    // rebuild may have died with its instance.
    boolean wrongStock = books.stock() != Math.max(0, before.get().total() - books.users());
    if (!generous && !strict && !wrongStock) {
      suspectSinceNanos.remove(couponId);
      if (books.reservations() == 0) {
        inStep.put(couponId, books);
      }
      return false;
    }
    return seenTwice(couponId, books, issuedAfter);
  }

  private boolean seenTwice(long couponId, GateBooks books, long issued) {
    inStep.remove(couponId);
    long now = nanoClock.getAsLong();
    Long since = suspectSinceNanos.putIfAbsent(couponId, now);
    if (since == null || now - since < reservationTimeout.toNanos()) {
      return false;
    }
    suspectSinceNanos.remove(couponId);
    log.warn(
        "event=out-of-step coupon={} users={} reservations={} issued={}",
        couponId,
        books.users(),
        books.reservations(),
        issued);
    return true;
  }

  /** Forgets what is known of a coupon that is not watched any more. */
  public void forget(long couponId) {
    suspectSinceNanos.remove(couponId);
    inStep.remove(couponId);
  }

  /** Whether a first look found the gate out of step and a second is due. */
  public boolean suspects(long couponId) {
    return suspectSinceNanos.containsKey(couponId);
  }

  private Deadline deadline() {
    return Deadline.in(patience, nanoClock);
  }

  private <T> T await(CompletableFuture<T> reply) {
    return Replies.await(reply, patience.toNanos());
  }
}
