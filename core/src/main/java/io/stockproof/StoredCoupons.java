package io.stockproof;

import io.stockproof.gate.GateBooks;
import io.stockproof.gate.GateException;
import io.stockproof.gate.StockGate;
import io.stockproof.ledger.CouponRow;
import io.stockproof.ledger.Deadline;
import io.stockproof.ledger.IssuanceLedger;
import io.stockproof.ledger.LedgerException;
import io.stockproof.recovery.Rebuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** The coupons in both stores. Everything is done on the caller's thread. */
final class StoredCoupons implements Coupons {

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

  private final Parts parts;
  private final StockGate gate;
  private final IssuanceLedger ledger;

  StoredCoupons(Parts parts) {
    this.parts = parts;
    this.gate = parts.gate();
    this.ledger = parts.ledger();
  }

  @Override
  public void open(CouponSpec spec) {
    stores(
        "opening coupon " + spec.id(),
        () -> {
          CouponRow wanted =
              new CouponRow(
                  spec.id(),
                  spec.total(),
                  0,
                  true,
                  spec.opensAt().toEpochMilli(),
                  spec.closesAt().toEpochMilli(),
                  0);
          boolean created =
              ledger.find(spec.id(), parts.deadline()).isEmpty()
                  && ledger.create(wanted, parts.deadline());
          if (!created) {
            refuseOtherNumbers(existing(spec.id()), wanted);
          }
          bringIntoService(spec.id());
          parts.memory().forget(spec.id());
          return true;
        });
  }

  private static void refuseOtherNumbers(CouponRow found, CouponRow wanted) {
    if (!found.active()) {
      throw new IllegalStateException("coupon " + found.id() + " is closed");
    }
    if (found.total() != wanted.total()
        || found.opensAtMillis() != wanted.opensAtMillis()
        || found.closesAtMillis() != wanted.closesAtMillis()) {
      throw new IllegalStateException(
          "coupon %d exists with total %d, opensAt %d, closesAt %d; it cannot be opened with %d, %d, %d"
              .formatted(
                  found.id(),
                  found.total(),
                  found.opensAtMillis(),
                  found.closesAtMillis(),
                  wanted.total(),
                  wanted.opensAtMillis(),
                  wanted.closesAtMillis()));
    }
  }

  /** Rebuilds a missing gate, or waits for whoever does; a gate in service is not touched. */
  private void bringIntoService(long couponId) {
    Deadline deadline = parts.deadline();
    while (!inspect(couponId).inService()) {
      if (parts.rebuild(couponId) != Rebuilder.Result.BUILT) {
        if (deadline.passed()) {
          throw new StoreUnavailableException(
              "coupon " + couponId + " is being rebuilt by another instance", null);
        }
        LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      }
    }
  }

  @Override
  public void close(long couponId) {
    Ids.checkCoupon(couponId);
    stores(
        "closing coupon " + couponId,
        () -> {
          if (!ledger.deactivate(couponId, parts.deadline())) {
            throw unknown(couponId);
          }
          parts.await(gate.close(couponId));
          parts.memory().forget(couponId);
          return true;
        });
  }

  @Override
  public boolean holds(long couponId, String userId) {
    Ids.checkCoupon(couponId);
    Ids.checkUser(userId);
    return stores(
        "reading a row of coupon " + couponId,
        () -> ledger.holds(couponId, userId, parts.deadline()));
  }

  @Override
  public Audit audit(long couponId) {
    Ids.checkCoupon(couponId);
    return stores(
        "auditing coupon " + couponId,
        () -> {
          CouponRow row = existing(couponId);
          long rows = ledger.countRows(couponId, parts.deadline());
          GateBooks books = inspect(couponId);
          return new Audit(
              couponId,
              row.total(),
              row.issued(),
              rows,
              books.stock(),
              books.users(),
              books.reservations());
        });
  }

  @Override
  public boolean rebuild(long couponId) {
    Ids.checkCoupon(couponId);
    return stores(
        "rebuilding coupon " + couponId,
        () -> {
          Rebuilder.Result result = parts.rebuild(couponId);
          if (result == Rebuilder.Result.NO_COUPON) {
            throw unknown(couponId);
          }
          parts.memory().forget(couponId);
          return result == Rebuilder.Result.BUILT;
        });
  }

  @Override
  public void reconcile(long couponId) {
    Ids.checkCoupon(couponId);
    stores(
        "reconciling coupon " + couponId,
        () -> {
          switch (parts.reconcile(couponId, true).gate()) {
            case IN_STEP -> {}
            case MISSING, OUT_OF_STEP -> parts.rebuild(couponId);
            case NO_COUPON -> throw unknown(couponId);
          }
          parts.memory().forget(couponId);
          return true;
        });
  }

  @Override
  public boolean repair(long couponId) {
    Ids.checkCoupon(couponId);
    return stores(
        "repairing coupon " + couponId,
        () -> {
          existing(couponId);
          parts.memory().forget(couponId);
          return ledger.repairCounter(couponId, parts.deadline());
        });
  }

  private CouponRow existing(long couponId) {
    Optional<CouponRow> row = ledger.find(couponId, parts.deadline());
    return row.orElseThrow(() -> unknown(couponId));
  }

  private GateBooks inspect(long couponId) {
    return parts.await(gate.inspect(couponId));
  }

  private static IllegalArgumentException unknown(long couponId) {
    return new IllegalArgumentException("there is no coupon " + couponId);
  }

  private static <T> T stores(String what, Supplier<T> work) {
    try {
      return work.get();
    } catch (GateException | LedgerException e) {
      throw new StoreUnavailableException(what + " failed: " + e.getMessage(), e);
    }
  }
}
