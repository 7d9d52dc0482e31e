package io.stockproof;

import io.stockproof.IssuanceListener.Resolution;
import io.stockproof.gate.Replies;
import io.stockproof.gate.StockGate;
import io.stockproof.ledger.Deadline;
import io.stockproof.ledger.IssuanceLedger;
import io.stockproof.recovery.Rebuilder;
import io.stockproof.recovery.Reconciler;
import java.util.concurrent.CompletableFuture;

/** What one issuer is made of, for those of its classes that work with both stores. */
record Parts(
    Settings settings,
    StockGate gate,
    IssuanceLedger ledger,
    Rebuilder rebuilder,
    Reconciler reconciler,
    RefusalMemory memory,
    Listening listener) {

  static Parts of(Settings settings, StockGate gate, IssuanceLedger ledger) {
    return new Parts(
        settings,
        gate,
        ledger,
        new Rebuilder(
            gate, ledger, settings.tokens().get(), settings.timeout(), settings.nanoClock()),
        new Reconciler(
            gate, ledger, settings.reservationTimeout(), settings.timeout(), settings.nanoClock()),
        new RefusalMemory(settings.soldOutMemory(), settings.nanoClock()),
        new Listening(settings.listener(), settings.nanoClock()));
  }

  /** Makes a gate anew, and lets everyone know. */
  Rebuilder.Result rebuild(long couponId) {
    Rebuilder.Result result = rebuilder.rebuild(couponId);
    if (result == Rebuilder.Result.BUILT) {
      memory.forget(couponId);
      listener.onRebuilt(couponId);
    }
    return result;
  }

  /** Resolves what is too old, compares the books, and lets everyone know. */
  Reconciler.Found reconcile(long couponId, boolean full) {
    Reconciler.Found found = reconciler.reconcile(couponId, full);
    listener.onResolved(couponId, Resolution.RECONCILED, found.resolved());
    return found;
  }

  long nanoTime() {
    return settings.nanoClock().getAsLong();
  }

  /** Of one step of a store. */
  Deadline deadline() {
    return Deadline.in(settings.timeout(), settings.nanoClock());
  }

  <T> T await(CompletableFuture<T> reply) {
    return Replies.await(reply, settings.timeout().toNanos());
  }
}
