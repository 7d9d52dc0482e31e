package io.stockproof;

import io.stockproof.IssuanceListener.Resolution;
import io.stockproof.gate.Admission;
import io.stockproof.gate.GateException;
import io.stockproof.gate.Replies;
import io.stockproof.gate.StockGate;
import io.stockproof.ledger.IssuanceLedger;
import io.stockproof.ledger.LedgerException;
import io.stockproof.ledger.Recorded;
import io.stockproof.ledger.Reservation;
import io.stockproof.ledger.Standing;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
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

  private final Parts parts;
  private final StockGate gate;
  private final IssuanceLedger ledger;
  private final Resolver resolver;
  private final Recovery recovery;
  private final CircuitBreaker breaker;
  private final Semaphore fallThrough;
  private final Seldom seldom;

  IssueFlow(Parts parts, Resolver resolver, Recovery recovery) {
    Settings settings = parts.settings();
    this.parts = parts;
    this.gate = parts.gate();
    this.ledger = parts.ledger();
    this.resolver = resolver;
    this.recovery = recovery;
    this.breaker =
        new CircuitBreaker(
            settings.breakAfter(),
            settings.breakFor(),
            // A request that asks has ended by then.
            settings.timeout().multipliedBy(2),
            settings.nanoClock(),
            parts.listener()::onCircuit);
    this.fallThrough = new Semaphore(settings.fallThrough());
    this.seldom = new Seldom(settings.nanoClock());
  }

  /** First step: asks the gate. */
  CompletableFuture<Admission> ask(Request request) {
    long ticket = breaker.ask();
    if (ticket == CircuitBreaker.REFUSED) {
      return CompletableFuture.failedFuture(
          new GateException("not asked: it did not answer", true, null));
    }
    CompletableFuture<Admission> reply =
        gate.acquire(request.couponId(), request.userId(), request.token());
    var unused =
        reply.whenComplete(
            (answer, error) -> {
              if (error == null || Replies.failure(error).refused()) {
                breaker.answered(ticket);
              } else if (!(error instanceof CancellationException) || request.deadline().passed()) {
                // A caller who was interrupted says nothing about the gate.
                breaker.unanswered(ticket);
              }
            });
    return reply;
  }

  /** The gate did not answer, or with an error: what that means, or null to {@link #finish}. */
  @Nullable IssueOutcome unanswered(Request request, GateException failure) {
    log.debug("event=gate-failed coupon={} reason={}", request.couponId(), failure.getMessage());
    if (!failure.refused()) {
      // It may have been executed, or will be. The release goes after it on the same connection.
      resolver.release(request);
    }
    return fallsThrough(request) ? null : IssueOutcome.UNAVAILABLE;
  }

  private boolean fallsThrough(Request request) {
    boolean permitted = fallThrough.tryAcquire();
    if (permitted) {
      request.fallThrough();
    }
    return permitted;
  }

  /** What the gate's answer means if that needs no database; null to {@link #finish}. */
  @Nullable IssueOutcome refusal(Request request, Admission admission) {
    if (admission.answer() != Admission.Answer.MISSING) {
      recovery.watch(request.couponId());
    }
    return switch (admission.answer()) {
      case ACQUIRED -> null;
      case DUPLICATE -> IssueOutcome.DUPLICATE;
      case IN_FLIGHT -> IssueOutcome.UNAVAILABLE;
      case SOLD_OUT_SETTLED -> {
        parts.memory().remember(request.couponId(), IssueOutcome.SOLD_OUT);
        yield IssueOutcome.SOLD_OUT;
      }
      case SOLD_OUT -> IssueOutcome.SOLD_OUT;
      case NOT_OPEN -> IssueOutcome.NOT_OPEN;
      case CORRUPT -> {
        if (seldom.now()) {
          log.error(
              "event=gate-corrupt coupon={} detail=\"{}\" nothing was written; rebuild the coupon",
              request.couponId(),
              admission.detail());
        }
        yield IssueOutcome.UNAVAILABLE;
      }
      case MISSING, REBUILDING -> {
        boolean first = admission.needsRebuild() && !recovery.rebuildWanted(request.couponId());
        boolean direct = admission.needsRebuild() && fallsThrough(request);
        yield first || direct ? null : IssueOutcome.UNAVAILABLE;
      }
    };
  }

  /**
   * The steps that need the database, on a thread that may block until the deadline.
   *
   * @param admission what the gate said; null if it did not answer
   */
  IssueOutcome finish(Request request, @Nullable Admission admission) {
    if (admission != null && admission.answer() == Admission.Answer.ACQUIRED) {
      return record(request, admission.epoch());
    }
    try {
      return withoutGate(request, admission != null);
    } catch (LedgerException e) {
      log.debug("event=ledger-failed coupon={} reason={}", request.couponId(), e.getMessage());
      return IssueOutcome.UNAVAILABLE;
    } finally {
      leaveLedger(request);
    }
  }

  /** In place of {@link #finish}; does not block. */
  IssueOutcome giveUp(Request request) {
    leaveLedger(request);
    if (!request.hasFallenThrough()) {
      resolver.release(request);
    }
    return IssueOutcome.UNAVAILABLE;
  }

  private void leaveLedger(Request request) {
    if (request.hasFallenThrough()) {
      fallThrough.release();
    }
  }

  /**
   * Asks the ledger instead, if that is permitted; a missing gate is made anew in any case, if
   * there is such a coupon at all. The ledger alone decides right: what the gate adds is that most
   * who are refused never come here.
   */
  private IssueOutcome withoutGate(Request request, boolean missing) {
    long couponId = request.couponId();
    while (!request.deadline().passed()) {
      Optional<Standing> standing = ledger.standing(couponId, request.userId(), request.deadline());
      if (standing.isEmpty()) {
        parts.memory().remember(couponId, IssueOutcome.NOT_OPEN);
        return IssueOutcome.NOT_OPEN;
      }
      if (missing) {
        recovery.rebuildMissing(couponId);
      }
      if (!request.hasFallenThrough()) {
        return standing.get().coupon().active() ? IssueOutcome.UNAVAILABLE : IssueOutcome.NOT_OPEN;
      }
      if (standing.get().token() != null) {
        return IssueOutcome.DUPLICATE;
      }
      if (!standing.get().onSale()) {
        return IssueOutcome.NOT_OPEN;
      }
      Reservation direct = request.reservation(standing.get().coupon().epoch());
      Recorded recorded = ledger.record(direct, request.deadline(), request);
      // Fenced by a rebuild or a reconciler: nothing that they know of was reserved here.
      if (recorded.result() != Recorded.Result.FENCED) {
        return resolve(request, recorded);
      }
    }
    return IssueOutcome.UNAVAILABLE;
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
          recovery.rebuild(request.couponId());
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
        confirm(request);
        return IssueOutcome.ISSUED;
      }
      case ALREADY_RECORDED -> {
        // The unit is that row's, and is not given back (public case G18).
        confirm(request);
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

  private void confirm(Request request) {
    if (request.hasFallenThrough()) {
      resolver.confirmUnreserved(request.couponId(), request.userId());
    } else {
      resolver.confirm(request.couponId(), request.userId());
    }
  }

  private long renew(Request request) {
    try {
      return await(request, gate.renew(request.couponId(), request.userId(), request.token()));
    } catch (GateException e) {
      return -1;
    }
  }

  private void release(Request request) {
    if (request.hasFallenThrough()) {
      return;
    }
    try {
      if (await(request, gate.release(request.couponId(), request.userId(), request.token()))) {
        parts.listener().onResolved(request.couponId(), Resolution.RELEASED, 1);
      }
    } catch (GateException e) {
      resolver.release(request);
    }
  }

  private void exhausted(Request request) {
    if (request.hasFallenThrough()) {
      parts.memory().remember(request.couponId(), IssueOutcome.SOLD_OUT);
      return;
    }
    try {
      if (await(request, gate.exhausted(request.couponId(), request.userId(), request.token()))) {
        parts.listener().onResolved(request.couponId(), Resolution.EXHAUSTED, 1);
      }
    } catch (GateException e) {
      resolver.exhausted(request);
    }
    recovery.rebuild(request.couponId());
  }

  private static <T> T await(Request request, CompletableFuture<T> reply) {
    return Replies.await(reply, request.deadline().remainingNanos());
  }
}
