package io.stockproof.chaos;

import io.stockproof.verification.SubjectVerdict;
import java.time.Duration;
import java.util.List;

/**
 * What a campaign found.
 *
 * @param plan which faults, when
 * @param windows one entry a fault, in order of time
 * @param verdict of the subject, by rules; INCONCLUSIVE if a fault did not bite
 * @param total units on sale
 * @param calls of the load
 * @param issued units that they were given
 * @param p50 median latency of the load, from the intended beginning of each call
 * @param p99 99th percentile of the same
 */
public record CampaignResult(
    FaultPlan plan,
    List<WindowResult> windows,
    SubjectVerdict verdict,
    long total,
    int calls,
    int issued,
    Duration p50,
    Duration p99) {

  /** Copies the list. */
  public CampaignResult {
    windows = List.copyOf(windows);
  }
}
