package io.stockproof;

import io.stockproof.gate.Admission;
import io.stockproof.gate.GateException;
import io.stockproof.gate.Replies;
import io.stockproof.gate.StockGate;
import io.stockproof.ledger.IssuanceLedger;
import io.stockproof.ledger.LedgerException;
import io.stockproof.ledger.Recorded;
import io.stockproof.ledger.Reservation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of one request, as the protocol has them: gate, ledger, resolve. Which thread does them
 * is decided elsewhere.
 */
final class IssueFlow {

  private static final Logger log = LoggerFactory.getLogger(IssueFlow.class);

  /**
   * Fenced so often under the same epoch, the gate has lost the newer one: a reconciler raises it
   * within one round trip.
   */
  private static final int MOST_FENCED = 3;

  private static final long BETWEEN_LOUD_LOGS_NANOS = 1_000_000_000;

  private final StockGate gate;
  private final IssuanceLedger ledger;
  private final RefusalMemory memory;
  private final Background background;
  private final LongSupplier nanoClock;
  private final AtomicLong loudAgainNanos;

  IssueFlow(
      StockGate gate,
      IssuanceLedger ledger,
      RefusalMemory memory,
      Background background,
      LongSupplier nanoClock) {
    this.gate = gate;
    this.ledger = ledger;
    this.memory = memory;
    this.background = background;
    this.nanoClock = nanoClock;
    this.loudAgainNanos = new AtomicLong(nanoClock.getAsLong());
  }

  /** First step: asks the gate. */
  CompletableFuture<Admission> ask(Request request) {
    return gate.acquire(request.couponId(), request.userId(), request.token());
  }

  /** The gate did not answer, or with an error. */
  IssueOutcome unanswered(Request request, GateException failure) {
    log.debug("event=gate-failed coupon={} reason={}", request.couponId(), failure.getMessage());
    if (!failure.refused()) {
      // It may have been executed, or will be. The release goes after it on the same connection.
      background.release(request);
    }
    return IssueOutcome.UNAVAILABLE;
  }

  /** What the gate's answer means if that needs no database; else null. */
  @Nullable IssueOutcome refusal(Request request, Admission admission) {
    if (admission.answer() != Admission.Answer.MISSING) {
      background.watch(request.couponId());
    }
    return switch (admission.answer()) {
      case ACQUIRED -> null;
      case DUPLICATE -> IssueOutcome.DUPLICATE;
      case IN_FLIGHT -> IssueOutcome.UNAVAILABLE;
      case SOLD_OUT_SETTLED -> {
        memory.remember(request.couponId(), IssueOutcome.SOLD_OUT);
        yield IssueOutcome.SOLD_OUT;
      }
      case SOLD_OUT -> IssueOutcome.SOLD_OUT;
      case NOT_OPEN -> IssueOutcome.NOT_OPEN;
      case CORRUPT -> {
        logLoudly(request.couponId(), admission.detail());
        yield IssueOutcome.UNAVAILABLE;
      }
      case MISSING, REBUILDING ->
          admission.needsRebuild() && !background.rebuildWanted(request.couponId())
              ? null
              : IssueOutcome.UNAVAILABLE;
    };
  }

  private void logLoudly(long couponId, String detail) {
    long now = nanoClock.getAsLong();
    long again = loudAgainNanos.get();
    if (now - again >= 0 && loudAgainNanos.compareAndSet(again, now + BETWEEN_LOUD_LOGS_NANOS)) {
      log.error(
          "event=gate-corrupt coupon={} detail=\"{}\" nothing was written; rebuild the coupon",
          couponId,
          detail);
    }
  }

  /** The steps that need the database, on a thread that may block until the deadline. */
  IssueOutcome finish(Request request, Admission admission) {
    return admission.answer() == Admission.Answer.ACQUIRED
        ? record(request, admission.epoch())
        : withoutGate(request);
  }

  /** No gate: is there such a coupon at all? If so, its gate is made anew. */
  private IssueOutcome withoutGate(Request request) {
    long couponId = request.couponId();
    try {
      var coupon = ledger.find(couponId, request.deadline());
      if (coupon.isEmpty()) {
        memory.remember(couponId, IssueOutcome.NOT_OPEN);
        return IssueOutcome.NOT_OPEN;
      }
      background.rebuild(couponId);
      return coupon.get().active() ? IssueOutcome.UNAVAILABLE : IssueOutcome.NOT_OPEN;
    } catch (LedgerException e) {
      log.debug("event=ledger-failed coupon={} reason={}", couponId, e.getMessage());
      return IssueOutcome.UNAVAILABLE;
    }
  }

  private IssueOutcome record(Request request, long epoch) {
    Reservation reservation = request.reservation(epoch);
    int fenced = 0;
    while (true) {
      Recorded recorded = ledger.record(reservation, request.deadline(), request);
      if (recorded.result() != Recorded.Result.FENCED) {
        return resolve(request, recorded);
      }
      long newer = renew(request);
      fenced = newer == reservation.epoch() ? fenced + 1 : 0;
      if (newer < 0 || fenced == MOST_FENCED) {
        if (newer >= 0 && newer < recorded.epoch()) {
          background.rebuild(request.couponId());
        }
        release(request);
        return IssueOutcome.UNAVAILABLE;
      }
      reservation = reservation.under(newer);
    }
  }

  private IssueOutcome resolve(Request request, Recorded recorded) {
    switch (recorded.result()) {
      case ISSUED -> {
        background.confirm(request.couponId(), request.userId());
        return IssueOutcome.ISSUED;
      }
      case ALREADY_RECORDED -> {
        // The unit is that row's, and is not given back (public case G18).
        background.confirm(request.couponId(), request.userId());
        return IssueOutcome.DUPLICATE;
      }
      case NOT_ACTIVE -> {
        release(request);
        return IssueOutcome.NOT_OPEN;
      }
      case EXHAUSTED -> {
        exhausted(request);
        return IssueOutcome.SOLD_OUT;
      }
      case NOT_WRITTEN, FENCED -> {
        log.debug("event=not-written coupon={} reason={}", request.couponId(), recorded.detail());
        release(request);
        return IssueOutcome.UNAVAILABLE;
      }
      case UNKNOWN -> {
        // Neither confirm nor release would be sure to be right. The reservation grows too old.
        log.warn("event=unknown coupon={} reason={}", request.couponId(), recorded.detail());
        return IssueOutcome.UNKNOWN;
      }
    }
    throw new AssertionError(recorded);
  }

  private long renew(Request request) {
    try {
      return await(request, gate.renew(request.couponId(), request.userId(), request.token()));
    } catch (GateException e) {
      return -1;
    }
  }

  private void release(Request request) {
    try {
      await(request, gate.release(request.couponId(), request.userId(), request.token()));
    } catch (GateException e) {
      background.release(request);
    }
  }

  private void exhausted(Request request) {
    try {
      await(request, gate.exhausted(request.couponId(), request.userId(), request.token()));
    } catch (GateException e) {
      background.exhausted(request);
    }
    background.rebuild(request.couponId());
  }

  private static <T> T await(Request request, CompletableFuture<T> reply) {
    return Replies.await(reply, request.deadline().remainingNanos());
  }
}
