package io.stockproof.chaos;

import io.stockproof.verification.stress.TimedCall;
import java.time.Duration;
import java.util.List;

/** Percentiles of calls, from the intended beginning of each. */
final class Latencies {
  private Latencies() {}

  /** Zero if there are no calls. */
  static Duration percentile(List<TimedCall> calls, int percent) {
    long[] sorted = calls.stream().mapToLong(TimedCall::latencyNanos).sorted().toArray();
    return sorted.length == 0
        ? Duration.ZERO
        : Duration.ofNanos(sorted[(int) ((sorted.length - 1) * (long) percent / 100)]);
  }
}
