package io.stockproof.reports.cli;

import io.stockproof.chaos.CampaignResult;
import io.stockproof.chaos.CampaignSettings;
import io.stockproof.chaos.WindowResult;
import io.stockproof.reports.RunRecord;
import io.stockproof.reports.cli.SubjectMixin.Chosen;
import io.stockproof.verification.SubjectVerdict;
import io.stockproof.verification.SubjectVerification;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.explore.Exploration;
import io.stockproof.verification.explore.Replay;
import io.stockproof.verification.explore.Token;
import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Verdicts to records. */
final class Records {
  private Records() {}

  /**
   * The worst of the subjects; a baseline that breaks what it should is a pass. VIOLATED if a
   * mutant was missed: then the settings do not find what they say is not there.
   */
  static Verdict ofRun(List<SubjectVerdict> verdicts, RunRecord.@Nullable MutantsRecord mutants) {
    if (mutants != null && !mutants.missed().isEmpty()) {
      return Verdict.VIOLATED;
    }
    return verdicts.stream()
        .map(SubjectVerdict::verdict)
        .map(verdict -> verdict == Verdict.AS_EXPECTED ? Verdict.PASS : verdict)
        .reduce(Verdict.PASS, Verdict::and);
  }

  /** What the subject is known to break, but where it is not known to. */
  static Set<Rule> known(ExpectedRules expected, int instances, SubjectVerdict verdict) {
    Set<Rule> known = EnumSet.noneOf(Rule.class);
    known.addAll(expected.in(instances, true));
    known.removeAll(verdict.surprises());
    return known;
  }

  static RunRecord run(
      String command,
      long seed,
      Verdict verdict,
      Environment environment,
      Instant startedAt,
      List<RunRecord.SubjectRecord> subjects,
      RunRecord.@Nullable MutantsRecord mutants) {
    return new RunRecord(
        RunRecord.VERSION,
        command,
        seed,
        verdict,
        new RunRecord.EnvironmentRecord(
            environment.kind().name().toLowerCase(Locale.ROOT),
            environment.redis().version(),
            environment.database().title()),
        subjects,
        startedAt.truncatedTo(ChronoUnit.SECONDS).toString(),
        Duration.between(startedAt, Instant.now()).toMillis() / 1000.0,
        RecordDetails.specification(),
        mutants,
        null);
  }

  /** A campaign: a subject, and what became of each fault. */
  static RunRecord campaign(
      Chosen chosen,
      CampaignSettings settings,
      CampaignResult result,
      Environment environment,
      Instant startedAt) {
    SubjectVerdict verdict = result.verdict();
    Set<Rule> known = chosen.expected().in(settings.instances(), true);
    RunRecord.SubjectRecord subject =
        new RunRecord.SubjectRecord(
            chosen.name(),
            expected(chosen.expected()),
            verdict.verdict(),
            verdict.reason(),
            settings.instances(),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            verdict.rules().stream()
                .map(finding -> rule(finding, known.contains(finding.rule()), null))
                .toList(),
            chosen.summary(),
            chosen.source(),
            null,
            null,
            null,
            null);
    return run(
            "chaos",
            result.plan().seed(),
            verdict.verdict(),
            environment,
            startedAt,
            List.of(subject),
            null)
        .with(
            result.windows().stream()
                .map(window -> fault(chosen.name(), window, verdict))
                .toList());
  }

  /** A rule that was broken cannot be blamed on one of several faults: it is told of all. */
  private static RunRecord.FaultRecord fault(
      String subject, WindowResult window, SubjectVerdict ofRules) {
    Duration recovery = window.recovery();
    Duration balanced = window.balanced();
    boolean brokenByRule = ofRules.verdict() == Verdict.VIOLATED;
    return new RunRecord.FaultRecord(
        window.fault().family().title(),
        window.fault().title(),
        subject,
        window.at().toMillis(),
        window.lasted().toMillis(),
        window.issued(),
        window.unavailable(),
        window.waited(),
        window.troubles(),
        recovery == null ? null : recovery.toMillis(),
        balanced == null ? null : balanced.toMillis(),
        window.hung(),
        brokenByRule ? Verdict.VIOLATED : window.verdict(),
        brokenByRule ? ofRules.reason() : window.detail());
  }

  /** A subject that was searched and stressed. */
  static RunRecord.SubjectRecord subject(
      Chosen chosen, SubjectVerification.Outcome outcome, int instances, int stressRuns) {
    SubjectVerdict verdict = outcome.verdict();
    List<Exploration> searches = outcome.searches();
    long runs = searches.stream().mapToLong(Exploration::interleavings).sum();
    double seconds = searches.stream().mapToDouble(Exploration::seconds).sum();
    Set<Rule> known = known(chosen.expected(), instances, verdict);
    return new RunRecord.SubjectRecord(
        chosen.name(),
        expected(chosen.expected()),
        verdict.verdict(),
        verdict.reason(),
        instances,
        stressRuns,
        runs,
        searches.stream().mapToLong(Exploration::classes).sum(),
        searches.stream().allMatch(Exploration::exhaustive),
        seconds > 0 ? runs / seconds : 0,
        searches.stream().mapToLong(Exploration::commandsIntercepted).sum(),
        outcome.goals(),
        verdict.rules().stream()
            .map(
                finding ->
                    rule(
                        finding,
                        known.contains(finding.rule()),
                        Exploration.shortest(searches, finding.rule())))
            .toList(),
        chosen.summary(),
        chosen.source(),
        seconds,
        searches.stream().mapToLong(Exploration::faultedRuns).sum(),
        RecordDetails.searches(searches),
        RecordDetails.pictures(
            verdict.violations().stream()
                .map(broken -> Exploration.shortest(searches, broken.rule()))));
  }

  /** A subject that was only searched. */
  static RunRecord.SubjectRecord explored(Chosen chosen, Exploration found) {
    Set<Rule> known = chosen.expected().in(found.scenario().instances(), found.faultedRuns() > 0);
    return new RunRecord.SubjectRecord(
        chosen.name(),
        expected(chosen.expected()),
        found.verdict(),
        found.exhaustive() ? "all interleavings" : String.join("; ", found.limits()),
        found.scenario().instances(),
        null,
        found.interleavings(),
        found.classes(),
        found.exhaustive(),
        found.interleavingsPerSecond(),
        found.commandsIntercepted(),
        found.goals(),
        found.rules().stream()
            .map(
                result ->
                    rule(
                        new Finding(
                            result.rule(),
                            result.verdict(),
                            result.verdict() != Verdict.INCONCLUSIVE,
                            result.detail(),
                            Finding.NO_MOMENT),
                        known.contains(result.rule()),
                        result.witness()))
            .toList(),
        chosen.summary(),
        chosen.source(),
        found.seconds(),
        found.faultedRuns(),
        RecordDetails.searches(List.of(found)),
        RecordDetails.pictures(found.rules().stream().map(Exploration.Result::witness)));
  }

  /** A subject of which one run was made again. */
  static RunRecord.SubjectRecord replayed(
      Chosen chosen, Token token, Replay replay, Verdict verdict, int times) {
    Set<Rule> known = chosen.expected().in(token.scenario().instances(), !token.faults().isEmpty());
    return new RunRecord.SubjectRecord(
        chosen.name(),
        expected(chosen.expected()),
        verdict,
        replay.divergence() == null ? "one run, made again from its token" : replay.divergence(),
        token.scenario().instances(),
        null,
        (long) times,
        null,
        null,
        null,
        null,
        null,
        replay.findings().stream().map(finding -> replayed(known, token, replay, finding)).toList(),
        chosen.summary(),
        chosen.source(),
        null,
        null,
        null,
        List.of(new RunRecord.PictureRecord(token.text(), replay.run().drawing())));
  }

  private static RunRecord.RuleRecord replayed(
      Set<Rule> known, Token token, Replay replay, Finding finding) {
    boolean broken = finding.verdict() == Verdict.VIOLATED;
    return new RunRecord.RuleRecord(
        finding.rule().id(),
        finding.rule().strength().name(),
        finding.rule().title(),
        finding.verdict(),
        finding.reached(),
        finding.detail(),
        broken ? token.text() : null,
        null,
        broken ? replay.run().users() : null,
        broken ? replay.run().commands() : null,
        broken ? replay.run().faults() : null,
        null,
        broken ? known.contains(finding.rule()) : null,
        broken ? Math.max(0, finding.moment()) : null);
  }

  private static List<String> expected(ExpectedRules expected) {
    return Stream.of(expected.calm(), expected.moreInstances(), expected.faults())
        .flatMap(Set::stream)
        .sorted()
        .distinct()
        .map(Rule::id)
        .toList();
  }

  private static RunRecord.RuleRecord rule(
      Finding finding, boolean known, Exploration.@Nullable Witness witness) {
    Rule rule = finding.rule();
    return new RunRecord.RuleRecord(
        rule.id(),
        rule.strength().name(),
        rule.title(),
        finding.verdict(),
        finding.reached(),
        finding.detail(),
        witness == null ? null : witness.token().text(),
        witness == null ? null : witness.foundAtRun(),
        witness == null ? null : witness.run().users(),
        witness == null ? null : witness.run().commands(),
        witness == null ? null : witness.run().faults(),
        witness == null ? null : witness.foundAfterSeconds(),
        finding.verdict() == Verdict.VIOLATED ? known : null,
        witness == null ? null : witness.step());
  }
}
