package io.stockproof.chaos;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Capability;
import io.stockproof.verification.Subject;
import io.stockproof.verification.SubjectJudge;
import io.stockproof.verification.SubjectVerdict;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.history.History;
import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import io.stockproof.verification.stress.BooksSampler;
import io.stockproof.verification.stress.TimedCall;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** From what was seen in a campaign to its verdict. */
final class Findings {

  /** MUST rules that any load with repeats, refusals and probes reaches. */
  private static final Set<Rule> ALWAYS_REACHED =
      EnumSet.of(
          Rule.R101, Rule.R102, Rule.R103, Rule.R201, Rule.R202, Rule.R203, Rule.R301, Rule.R302,
          Rule.R306, Rule.R307, Rule.R205, Rule.R501, Rule.R701);

  /** Of the time in which issuing must resume, what calm calls may take for it to be judged. */
  private static final int CALM_PART = 5;

  /** A campaign alone stays well below it. */
  private static final int MOST_LOAD_OF_A_CORE = 4;

  private final Subject subject;
  private final FaultPlan plan;
  private final CampaignSettings settings;
  private final Striking striking;
  private final List<BooksSampler.Sample> samples;
  private final Rest.Reached atRest;

  Findings(
      Subject subject,
      FaultPlan plan,
      CampaignSettings settings,
      Striking striking,
      List<BooksSampler.Sample> samples,
      Rest.Reached atRest) {
    this.subject = subject;
    this.plan = plan;
    this.settings = settings;
    this.striking = striking;
    this.samples = samples;
    this.atRest = atRest;
  }

  CampaignResult judge(History history, List<TimedCall> load) {
    WindowFindings ofWindows =
        new WindowFindings(settings, recovers(), striking, load, balancedNanos(history, load));
    List<WindowResult> windows = striking.struck().stream().map(ofWindows::of).toList();
    SubjectVerdict verdict = verdict(history, windows, ofWindows.calm());
    return new CampaignResult(
        plan,
        windows,
        verdict,
        history.scenario().total(),
        load.size(),
        (int) load.stream().filter(c -> c.call().outcome() == IssueOutcome.ISSUED).count(),
        Latencies.percentile(load, 50),
        Latencies.percentile(load, 99));
  }

  private boolean recovers() {
    return subject.capabilities().contains(Capability.RECOVERY);
  }

  /** When the books were seen to agree, in order. */
  private List<Long> balancedNanos(History history, List<TimedCall> load) {
    boolean gated = subject.capabilities().contains(Capability.GATE);
    SampledBalance balance = new SampledBalance(load, history.scenario().total(), gated);
    List<Long> moments = new ArrayList<>();
    for (BooksSampler.Sample sample : samples) {
      if (balance.holds(sample)) {
        moments.add(sample.nanos());
      }
    }
    if (atRest.balanced()) {
      moments.add(atRest.nanos());
    }
    moments.sort(null);
    return moments;
  }

  private SubjectVerdict verdict(History history, List<WindowResult> windows, Duration calm) {
    SubjectJudge judge = new SubjectJudge(ExpectedRules.none());
    List<Finding> findings = Rules.judge(history, subject.capabilities());
    judge.add(settings.instances(), true, findings);
    if (recovers()) {
      judge.add(settings.instances(), true, List.of(restInTime(), resumedInTime(windows, calm)));
    }
    if (windows.size() < plan.strikes().size()) {
      judge.addFailure(
          "only %d of %d faults were done".formatted(windows.size(), plan.strikes().size()));
    }
    windows.stream()
        .filter(window -> window.verdict() == Verdict.INCONCLUSIVE)
        .forEach(window -> judge.addFailure(window.fault().title() + ": " + window.detail()));
    return judge.verdict(required(history), Set.of());
  }

  private Set<Rule> required(History history) {
    Set<Rule> required = EnumSet.copyOf(ALWAYS_REACHED);
    if (history.wire() != null && !history.wire().losses().isEmpty()) {
      required.add(Rule.R502);
    }
    boolean kills =
        plan.strikes().stream().anyMatch(strike -> strike.fault() == InstanceFault.JVM_KILL);
    if (kills) {
      required.add(Rule.R503);
    }
    if (settings.instances() < 2) {
      required.remove(Rule.R701);
    }
    required.removeIf(rule -> !Rules.appliesTo(rule, subject.capabilities()));
    return required;
  }

  private Finding restInTime() {
    String waited = "%,d ms after the last call".formatted(atRest.waited().toMillis());
    return atRest.balanced()
        ? Finding.pass(Rule.R205, "at rest " + waited)
        : Finding.violated(Rule.R205, "the books still differ " + waited);
  }

  /** In the last minute; below 0 where the system does not say. */
  private static double loadOfACore() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    return system.getSystemLoadAverage() / system.getAvailableProcessors();
  }

  /**
   * The part of R501 that histories do not show. Where calm calls are slow already, or far more
   * wants to run than there are cores, the machine has no time to spare, and nothing is concluded
   * from a time.
   */
  private Finding resumedInTime(List<WindowResult> windows, Duration calm) {
    for (WindowResult window : windows) {
      if (window.verdict() == Verdict.VIOLATED) {
        return Finding.violated(Rule.R501, window.fault().title() + ": " + window.detail());
      }
    }
    Duration slowest = Duration.ZERO;
    String after = "";
    for (WindowResult window : windows) {
      Duration recovery = window.recovery();
      if (recovery != null && recovery.compareTo(slowest) > 0) {
        slowest = recovery;
        after = window.fault().title();
      }
    }
    if (slowest.compareTo(settings.resumesWithin()) > 0) {
      String late = "issuing resumed %,d ms after %s".formatted(slowest.toMillis(), after);
      boolean slow = calm.compareTo(settings.resumesWithin().dividedBy(CALM_PART)) > 0;
      return slow || loadOfACore() > MOST_LOAD_OF_A_CORE
          ? Finding.undecided(
              Rule.R501,
              late
                  + ", but calm calls took %,d ms, and %.1f wanted to run on each core"
                      .formatted(calm.toMillis(), loadOfACore()))
          : Finding.violated(Rule.R501, late);
    }
    return windows.isEmpty()
        ? Finding.notReached(Rule.R501, "no fault was done")
        : Finding.pass(Rule.R501, "issuing resumed after " + windows.size() + " faults");
  }
}
