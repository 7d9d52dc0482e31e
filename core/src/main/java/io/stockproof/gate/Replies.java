package io.stockproof.gate;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for the gate: always with an end, always with one kind of failure. */
public final class Replies {

  private Replies() {}

  /**
   * Waits for a reply; gives it up when the time is over.
   *
   * @param reply what the gate promised
   * @param nanos how long to wait at most
   * @return the reply
   * @throws GateException if it failed or did not come in time
   */
  public static <T> T await(CompletableFuture<T> reply, long nanos) {
    try {
      return reply.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      reply.cancel(false);
      throw new GateException("no reply in time", false, e);
    } catch (InterruptedException e) {
      reply.cancel(false);
      Thread.currentThread().interrupt();
      throw new GateException("interrupted while waiting for a reply", false, e);
    } catch (ExecutionException | CancellationException e) {
      throw failure(e);
    }
  }

  /** What a failed future failed with, as the one kind of failure. */
  public static GateException failure(Throwable error) {
    Throwable cause = error;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof GateException known
        ? known
        : new GateException("failed: " + cause, false, cause);
  }
}
