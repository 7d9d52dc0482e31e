package io.stockproof.reports.cli;

import io.stockproof.reports.RunRecord;
import io.stockproof.verification.SubjectVerdict;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.subjects.Subjects;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Verdicts to records. */
final class Records {
  private Records() {}

  /** The worst of the subjects; a baseline that breaks what it should is a pass. */
  static Verdict ofRun(List<SubjectVerdict> verdicts) {
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
    return new RunRecord(
        RunRecord.VERSION,
        command,
        seed,
        verdict,
        new RunRecord.EnvironmentRecord(
            environment.kind().name().toLowerCase(Locale.ROOT),
            environment.redis().version(),
            environment.database().title()),
        subjects);
  }

  static RunRecord.SubjectRecord subject(
      Subjects.Entry entry, SubjectVerdict verdict, int instances, int stressRuns) {
    return new RunRecord.SubjectRecord(
        entry.name(),
        expected(entry.expected()),
        verdict.verdict(),
        verdict.reason(),
        instances,
        stressRuns,
        null,
        null,
        null,
        null,
        null,
        null,
        verdict.rules().stream().map(Records::rule).toList());
  }

  private static List<String> expected(ExpectedRules expected) {
    return Stream.concat(expected.calm().stream(), expected.moreInstances().stream())
        .sorted()
        .distinct()
        .map(Rule::id)
        .toList();
  }

  private static RunRecord.RuleRecord rule(Finding finding) {
    Rule rule = finding.rule();
    return new RunRecord.RuleRecord(
        rule.id(),
        rule.strength().name(),
        rule.title(),
        finding.verdict(),
        finding.reached(),
        finding.detail(),
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
