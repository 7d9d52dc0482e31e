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

  /** What the gate of a coupon looks like beside the ledger. */
  public enum Gate {
    /** Nothing to do, or nothing that is sure yet. */
    IN_STEP,
    /** Absent, or left half made: to be rebuilt unless another instance has done it meanwhile. */
    MISSING,
    /** It differs from the ledger, twice a reservation timeout apart: to be rebuilt. */
    OUT_OF_STEP,
    /** The ledger knows no such coupon. */
    NO_COUPON
  }

  /**
   * What reconciling found.
   *
   * @param resolved reservations that were too old and were resolved by this very call
   * @param gate what the gate looks like now
   */
  public record Found(long resolved, Gate gate) {}

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
   * @return what was found
   * @throws io.stockproof.gate.GateException if Redis did not answer; it may be repeated
   * @throws io.stockproof.ledger.LedgerException if the database did not answer; likewise
   */
  public Found reconcile(long couponId, boolean full) {
    String cursor = START;
    long resolved = 0;
    do {
      StaleScan scan = await(gate.stale(couponId, reservationTimeout.toMillis(), cursor));
      if (!scan.reservations().isEmpty()) {
        resolved += resolve(couponId, scan.reservations());
      }
      cursor = scan.cursor();
    } while (!cursor.equals(START));
    return new Found(resolved, compare(couponId, full));
  }

  private long resolve(long couponId, List<Stale> reservations) {
    List<String> users = reservations.stream().map(Stale::userId).toList();
    // From here on their owners find another epoch; whoever was in flight has ended either way.
    Optional<IssuanceLedger.Fenced> fenced = ledger.fenceAndLook(couponId, users, deadline());
    if (fenced.isEmpty()) {
      return 0;
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
    return Math.max(0, resolved);
  }

  private Gate compare(long couponId, boolean full) {
    if (!full) {
      GateBooks books = await(gate.inspect(couponId));
      if (books.reservations() == 0 && books.equals(inStep.get(couponId))) {
        return Gate.IN_STEP;
      }
    }
    Optional<CouponRow> before = ledger.find(couponId, deadline());
    if (before.isEmpty()) {
      return Gate.NO_COUPON;
    }
    GateBooks books = await(gate.inspect(couponId));
    if (!books.inService()) {
      return books.missing() ? Gate.MISSING : Gate.IN_STEP;
    }
    if (!outOfStep(before.get(), books, before.get())) {
      return inStep(couponId, books);
    }
    // It may have moved on meanwhile.
    Optional<CouponRow> after = ledger.find(couponId, deadline());
    if (after.isEmpty()) {
      return Gate.NO_COUPON;
    }
    if (!outOfStep(before.get(), books, after.get())) {
      return inStep(couponId, books);
    }
    return seenTwice(couponId, books, after.get()) ? Gate.OUT_OF_STEP : Gate.IN_STEP;
  }

  private Gate inStep(long couponId, GateBooks books) {
    suspectSinceNanos.remove(couponId);
    if (books.reservations() == 0) {
      inStep.put(couponId, books);
    }
    return Gate.IN_STEP;
  }

  /**
   * Beside traffic the ledger moves on while the gate is read, so it is read before, and after it
   * as well where the two differ.
   */
  private static boolean outOfStep(CouponRow before, GateBooks books, CouponRow after) {
    // A row may still have its reservation, so the counter lies between the users that are settled
    // and all of them. At rest the two are one number.
    boolean generous = books.users() < before.issued();
    boolean strict = books.users() - books.reservations() > after.issued();
    // The stock is always written as this difference; only "exhausted" sets it to 0, and its
    // rebuild may have died with its instance.
    boolean wrongStock = books.stock() != Math.max(0, before.total() - books.users());
    // A failover may have lost the last rise, or the close: every reservation would be in vain.
    boolean wrongEpoch = books.epoch() < before.epoch() || books.epoch() > after.epoch();
    boolean open = books.condition() == Condition.OPEN;
    boolean wrongState = open != before.active() && open != after.active();
    return generous || strict || wrongStock || wrongEpoch || wrongState;
  }

  private boolean seenTwice(long couponId, GateBooks books, CouponRow row) {
    inStep.remove(couponId);
    long now = nanoClock.getAsLong();
    Long since = suspectSinceNanos.putIfAbsent(couponId, now);
    if (since == null || now - since < reservationTimeout.toNanos()) {
      return false;
    }
    suspectSinceNanos.remove(couponId);
    log.warn(
        "event=out-of-step coupon={} users={} reservations={} issued={} gateEpoch={} ledgerEpoch={}",
        couponId,
        books.users(),
        books.reservations(),
        row.issued(),
        books.epoch(),
        row.epoch());
    return true;
  }

  /**
   * What a new instance finds of a coupon goes into the log, a line for each thing that is not at
   * rest and what will be done about it. Changes nothing.
   *
   * @throws io.stockproof.gate.GateException if Redis did not answer
   * @throws io.stockproof.ledger.LedgerException if the database did not answer
   */
  public void survey(long couponId) {
    GateBooks books = await(gate.inspect(couponId));
    Optional<CouponRow> row = ledger.find(couponId, deadline());
    if (row.isEmpty()) {
      return;
    }
    if (!books.inService()) {
      log.warn(
          "event=found-at-start coupon={} gate={} detail=\"{}\" next={}",
          couponId,
          books.condition(),
          books.detail(),
          books.missing() ? "rebuild" : "none");
      return;
    }
    if (books.reservations() > 0) {
      log.info(
          "event=found-at-start coupon={} reservations={} next=\"resolve once older than {}\"",
          couponId,
          books.reservations(),
          reservationTimeout);
    }
    if (books.epoch() != row.get().epoch()) {
      log.warn(
          "event=found-at-start coupon={} gateEpoch={} ledgerEpoch={} next=\"rebuild if it stays\"",
          couponId,
          books.epoch(),
          row.get().epoch());
    }
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
