package io.stockproof.verification.stress;

import io.stockproof.verification.history.Call;

/**
 * A call that was begun, with the times that load is measured by.
 *
 * @param call what its caller saw
 * @param dueNanos when it was to begin, by {@link System#nanoTime}
 * @param endNanos when it ended or was given up, by the same clock
 */
public record TimedCall(Call call, long dueNanos, long endNanos) {

  /** From the intended beginning, so that a late start counts as waiting. */
  public long latencyNanos() {
    return endNanos - dueNanos;
  }

  /** Whether it was given up because it did not end within its deadline. */
  public boolean hung() {
    return call.end() == Call.NEVER && !call.cutOff();
  }
}
