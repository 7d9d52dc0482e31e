package io.stockproof.recovery;

import io.stockproof.gate.GateSpec;
import io.stockproof.gate.Replies;
import io.stockproof.gate.StockGate;
import io.stockproof.ledger.CouponRow;
import io.stockproof.ledger.Deadline;
import io.stockproof.ledger.IssuanceLedger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a gate anew from the ledger's rows, beside traffic. Safe for use by any thread. */
public final class Rebuilder {

  private static final Logger log = LoggerFactory.getLogger(Rebuilder.class);

  private final StockGate gate;
  private final IssuanceLedger ledger;
  private final String owner;
  private final Duration patience;
  private final LongSupplier nanoClock;
  private final AtomicLong attempts = new AtomicLong();
  private final Set<Long> running = ConcurrentHashMap.newKeySet();

  /** What came of it. */
  public enum Result {
    /** The gate is in service. */
    BUILT,
    /** Another rebuild is alive, took this one over, or has ended since this one was asked for. */
    BUSY,
    /** The ledger knows no such coupon; the gate was not touched. */
    NO_COUPON
  }

  /**
   * Works on these stores.
   *
   * @param owner names this instance among all
   * @param patience how long to wait for one step of a store
   */
  public Rebuilder(
      StockGate gate,
      IssuanceLedger ledger,
      String owner,
      Duration patience,
      LongSupplier nanoClock) {
    this.gate = gate;
    this.ledger = ledger;
    this.owner = owner;
    this.patience = patience;
    this.nanoClock = nanoClock;
  }

  /**
   * Takes the gate out of service, reads the rows and puts it back.
   *
   * @throws io.stockproof.gate.GateException if Redis did not answer; it may be repeated at once
   * @throws io.stockproof.ledger.LedgerException if the database did not answer; likewise
   */
  public Result rebuild(long couponId) {
    if (!running.add(couponId)) {
      return Result.BUSY;
    }
    try {
      return build(couponId, owner + "." + attempts.incrementAndGet());
    } finally {
      running.remove(couponId);
    }
  }

  private Result build(long couponId, String id) {
    Optional<CouponRow> decidedOn = ledger.find(couponId, deadline());
    if (decidedOn.isEmpty()) {
      return Result.NO_COUPON;
    }
    if (!await(gate.begin(couponId, id, decidedOn.get().epoch()))) {
      return Result.BUSY;
    }
    // After this nobody admitted earlier can commit: the rows stand still.
    Optional<CouponRow> fenced = ledger.fence(couponId, deadline());
    if (fenced.isEmpty()) {
      return Result.NO_COUPON;
    }
    long rows = 0;
    String after = "";
    List<String> users;
    do {
      users = ledger.users(couponId, after, StockGate.MAX_USERS, deadline());
      if (!users.isEmpty()) {
        if (!await(gate.install(couponId, id, users))) {
          return Result.BUSY;
        }
        rows += users.size();
        after = users.get(users.size() - 1);
      }
    } while (users.size() == StockGate.MAX_USERS);

    CouponRow coupon = fenced.get();
    GateSpec spec =
        new GateSpec(
            coupon.total(),
            coupon.opensAtMillis(),
            coupon.closesAtMillis(),
            coupon.epoch(),
            coupon.active());
    if (!await(gate.finish(couponId, id, rows, spec))) {
      return Result.BUSY;
    }
    log.info("event=rebuilt coupon={} rows={} epoch={}", couponId, rows, coupon.epoch());
    return Result.BUILT;
  }

  private Deadline deadline() {
    return Deadline.in(patience, nanoClock);
  }

  private <T> T await(CompletableFuture<T> reply) {
    return Replies.await(reply, patience.toNanos());
  }
}
