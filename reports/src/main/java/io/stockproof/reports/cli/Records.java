package io.stockproof.reports.cli;

import io.stockproof.reports.RunRecord;
import io.stockproof.reports.cli.SubjectMixin.Chosen;
import io.stockproof.verification.SubjectVerdict;
import io.stockproof.verification.SubjectVerification;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.explore.Exploration;
import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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

  static RunRecord run(
      String command,
      long seed,
      Verdict verdict,
      Environment environment,
      List<RunRecord.SubjectRecord> subjects) {
    return run(command, seed, verdict, environment, subjects, null);
  }

  static RunRecord run(
      String command,
      long seed,
      Verdict verdict,
      Environment environment,
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
        mutants);
  }

  /** A subject that was searched and stressed. */
  static RunRecord.SubjectRecord subject(
      Chosen chosen, SubjectVerification.Outcome outcome, int instances, int stressRuns) {
    SubjectVerdict verdict = outcome.verdict();
    List<Exploration> searches = outcome.searches();
    long runs = searches.stream().mapToLong(Exploration::interleavings).sum();
    double seconds = searches.stream().mapToDouble(Exploration::seconds).sum();
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
        goals(searches),
        verdict.rules().stream()
            .map(finding -> rule(finding, shortest(searches, finding.rule())))
            .toList());
  }

  /** A subject that was only searched. */
  static RunRecord.SubjectRecord explored(Chosen chosen, Exploration found) {
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
                        result.witness()))
            .toList());
  }

  private static Map<String, Long> goals(List<Exploration> searches) {
    Map<String, Long> sum = new LinkedHashMap<>();
    searches.forEach(
        search -> search.goals().forEach((goal, runs) -> sum.merge(goal, runs, Long::sum)));
    return sum;
  }

  /** The smallest run that breaks the rule: faults first, then requests, then commands. */
  static Exploration.@Nullable Witness shortest(List<Exploration> searches, Rule rule) {
    return searches.stream()
        .flatMap(search -> search.rules().stream())
        .filter(result -> result.rule() == rule)
        .map(Exploration.Result::witness)
        .filter(Objects::nonNull)
        .min(
            Comparator.comparingInt((Exploration.Witness w) -> w.run().faults())
                .thenComparingInt(w -> w.run().requests())
                .thenComparingInt(w -> w.run().commands())
                .thenComparingInt(w -> w.run().steps()))
        .orElse(null);
  }

  private static List<String> expected(ExpectedRules expected) {
    return Stream.of(expected.calm(), expected.moreInstances(), expected.faults())
        .flatMap(Set::stream)
        .sorted()
        .distinct()
        .map(Rule::id)
        .toList();
  }

  private static RunRecord.RuleRecord rule(Finding finding, Exploration.@Nullable Witness witness) {
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
        witness == null ? null : witness.foundAfterSeconds());
  }
}
