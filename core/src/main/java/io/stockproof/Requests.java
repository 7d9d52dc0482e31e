package io.stockproof;

import io.stockproof.gate.Admission;
import io.stockproof.gate.GateException;
import io.stockproof.gate.Replies;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Which thread does which step of a request, and when its caller is told to go. */
final class Requests implements AutoCloseable {

  private final Settings settings;
  private final IssueFlow flow;
  private final Resolver resolver;
  private final Workers workers;

  Requests(Settings settings, IssueFlow flow, Resolver resolver) {
    this.settings = settings;
    this.flow = flow;
    this.resolver = resolver;
    this.workers = new Workers(settings.ledgerThreads(), settings.maxInFlight());
  }

  /** Blocks until there is an outcome, or the deadline. */
  IssueOutcome run(Request request) {
    if (!settings.background()) {
      return onThisThread(request);
    }
    CompletableFuture<IssueOutcome> told = new CompletableFuture<>();
    CompletableFuture<Admission> admission = start(request, told);
    try {
      return told.get(Math.max(0, request.deadline().remainingNanos()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return leave(request, admission);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return leave(request, admission);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a bug in the issuer", e.getCause());
    }
  }

  /** Completes by the deadline. */
  CompletionStage<IssueOutcome> runAsync(Request request) {
    CompletableFuture<IssueOutcome> told = new CompletableFuture<>();
    CompletableFuture<Admission> admission = start(request, told);
    ScheduledFuture<?> timer =
        workers.after(settings.timeout(), () -> told.complete(leave(request, admission)));
    return told.whenComplete((outcome, error) -> timer.cancel(false));
  }

  private IssueOutcome onThisThread(Request request) {
    Admission admission = null;
    IssueOutcome refusal;
    try {
      admission = Replies.await(flow.ask(request), request.deadline().remainingNanos());
      refusal = flow.refusal(request, admission);
    } catch (GateException e) {
      refusal = flow.unanswered(request, e);
    }
    if (refusal != null) {
      return refusal;
    }
    request.proceed();
    return flow.finish(request, admission);
  }

  private CompletableFuture<Admission> start(
      Request request, CompletableFuture<IssueOutcome> told) {
    CompletableFuture<Admission> admission = flow.ask(request);
    var unused = admission.whenComplete((answer, error) -> answered(request, answer, error, told));
    return admission;
  }

  /** On the thread of the Redis client, which must not block. */
  private void answered(
      Request request,
      @Nullable Admission admission,
      @Nullable Throwable error,
      CompletableFuture<IssueOutcome> told) {
    IssueOutcome refusal;
    if (admission != null) {
      refusal = flow.refusal(request, admission);
    } else if (error != null && !request.hasLeft()) {
      refusal = flow.unanswered(request, Replies.failure(error));
    } else {
      // Whoever has left has seen to the release.
      return;
    }
    if (refusal != null) {
      told.complete(refusal);
      return;
    }
    if (!request.proceed()) {
      // The caller has left.
      flow.giveUp(request);
      return;
    }
    try {
      workers.execute(() -> told.complete(flow.finish(request, admission)));
    } catch (RejectedExecutionException e) {
      told.complete(flow.giveUp(request));
    }
  }

  /** The time is over. What can be told depends on whether a COMMIT is under way. */
  private IssueOutcome leave(Request request, CompletableFuture<Admission> admission) {
    if (request.leave() == Request.Phase.COMMITTING) {
      return IssueOutcome.UNKNOWN;
    }
    // First, so that an acquire that was not sent never follows the release.
    admission.cancel(false);
    if (!request.hasFallenThrough()) {
      resolver.release(request);
    }
    return IssueOutcome.UNAVAILABLE;
  }

  @Override
  public void close() {
    workers.close();
  }
}
