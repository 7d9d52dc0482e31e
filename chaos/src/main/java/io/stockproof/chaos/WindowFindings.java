package io.stockproof.chaos;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.stress.TimedCall;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the load saw of each fault. */
final class WindowFindings {

  /** A call that takes this many times the median of calm calls, and this long, has waited. */
  private static final int WAITED_TIMES_MEDIAN = 5;

  private static final Duration WAITED_AT_LEAST = Duration.ofMillis(100);

  private final CampaignSettings settings;
  private final boolean recovers;
  private final Striking striking;
  private final List<TimedCall> load;
  private final List<Long> balancedNanos;
  private final long waitNanos;
  private final Duration calm;

  /**
   * Looks at a load.
   *
   * @param recovers whether issuing must resume by itself
   * @param balancedNanos when the books were seen to agree, in order
   */
  WindowFindings(
      CampaignSettings settings,
      boolean recovers,
      Striking striking,
      List<TimedCall> load,
      List<Long> balancedNanos) {
    this.settings = settings;
    this.recovers = recovers;
    this.striking = striking;
    this.load = load;
    this.balancedNanos = balancedNanos;
    long firstFault =
        striking.struck().stream().mapToLong(Striking.Struck::beganNanos).min().orElse(0);
    List<TimedCall> calm = load.stream().filter(call -> call.endNanos() - firstFault < 0).toList();
    this.calm = Latencies.percentile(calm, 95);
    this.waitNanos =
        Math.max(
            WAITED_AT_LEAST.toNanos(),
            WAITED_TIMES_MEDIAN * Latencies.percentile(calm, 50).toNanos());
  }

  /** What 95 of 100 calls took that ended before the first fault. */
  Duration calm() {
    return calm;
  }

  WindowResult of(Striking.Struck struck) {
    List<TimedCall> underWay =
        load.stream()
            .filter(call -> call.dueNanos() - struck.endedNanos() < 0)
            .filter(call -> call.endNanos() - struck.beganNanos() > 0)
            .toList();
    int issued = count(underWay, IssueOutcome.ISSUED);
    int unavailable = (int) underWay.stream().filter(call -> isUnclear(call.call())).count();
    int waited = (int) underWay.stream().filter(c -> c.latencyNanos() > waitNanos).count();
    int hung = (int) underWay.stream().filter(TimedCall::hung).count();
    Duration recovery = recovery(struck.endedNanos());
    String broken = broken(hung, recovery, struck.endedNanos());
    String blunt = blunt(struck, issued, unavailable + waited + struck.troubles());
    Verdict verdict =
        broken != null ? Verdict.VIOLATED : blunt != null ? Verdict.INCONCLUSIVE : Verdict.PASS;
    return new WindowResult(
        struck.strike().fault(),
        Duration.ofNanos(struck.beganNanos() - striking.originNanos()),
        Duration.ofNanos(struck.endedNanos() - struck.beganNanos()),
        issued,
        unavailable,
        waited,
        struck.troubles(),
        hung,
        recovery,
        balanced(struck.endedNanos()),
        verdict,
        broken != null ? broken : blunt != null ? blunt : "issuing went on");
  }

  private static int count(List<TimedCall> calls, IssueOutcome outcome) {
    return (int) calls.stream().filter(call -> call.call().outcome() == outcome).count();
  }

  private static boolean isUnclear(Call call) {
    return call.outcome() == null
        || call.outcome() == IssueOutcome.UNAVAILABLE
        || call.outcome() == IssueOutcome.UNKNOWN;
  }

  /** Why the campaign says nothing of this fault; null if it does. */
  private static @Nullable String blunt(Striking.Struck struck, int issued, long seen) {
    if (struck.failure() != null) {
      return "could not be done: " + struck.failure();
    }
    if (issued == 0) {
      return "nothing was issued in its window";
    }
    boolean lost = struck.strike().fault().losesRedisData();
    return seen == 0 && !lost ? "no instance saw anything of it" : null;
  }

  private @Nullable String broken(int hung, @Nullable Duration recovery, long endedNanos) {
    if (hung > 0) {
      return hung + " calls did not end";
    }
    return recovers && recovery == null && couldHaveResumed(endedNanos)
        ? "issuing did not resume"
        : null;
  }

  /** Whether, long enough after the end of the window, calls came and were not told SOLD_OUT. */
  private boolean couldHaveResumed(long endedNanos) {
    long inTime = endedNanos + settings.resumesWithin().toNanos();
    boolean asked = load.stream().anyMatch(call -> call.dueNanos() - inTime > 0);
    boolean soldOut =
        load.stream()
            .filter(call -> call.dueNanos() - endedNanos > 0 && call.endNanos() - inTime < 0)
            .anyMatch(call -> call.call().outcome() == IssueOutcome.SOLD_OUT);
    return asked && !soldOut;
  }

  /** The slowest instance counts. */
  private @Nullable Duration recovery(long endedNanos) {
    Map<Integer, Long> first = new HashMap<>();
    for (TimedCall call : load) {
      if (call.dueNanos() - endedNanos >= 0 && call.call().outcome() == IssueOutcome.ISSUED) {
        first.merge(call.call().instance(), call.endNanos() - endedNanos, Math::min);
      }
    }
    return first.size() < settings.instances()
        ? null
        : Duration.ofNanos(first.values().stream().mapToLong(Long::longValue).max().orElse(0));
  }

  private @Nullable Duration balanced(long endedNanos) {
    for (long moment : balancedNanos) {
      if (moment - endedNanos >= 0) {
        return Duration.ofNanos(moment - endedNanos);
      }
    }
    return null;
  }
}
