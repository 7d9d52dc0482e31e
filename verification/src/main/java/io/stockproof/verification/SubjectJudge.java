package io.stockproof.verification;

import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what all runs of a subject said. Not safe for use by several threads.
 *
 * <p>A rule: the first violation wins; then a check that could not be finished; then a pass; a rule
 * that no run reached is INCONCLUSIVE.
 */
public final class SubjectJudge {
  private final ExpectedRules expected;
  private final Map<Rule, Finding> findings = new EnumMap<>(Rule.class);
  private final Map<Rule, Finding> surprises = new EnumMap<>(Rule.class);
  private final List<String> failures = new ArrayList<>();

  /**
   * Starts with nothing seen.
   *
   * @param expected what the subject is known to break; {@link ExpectedRules#none()} for all but
   *     baselines
   */
  public SubjectJudge(ExpectedRules expected) {
    this.expected = expected;
  }

  /** Adds what one run said. */
  public void add(int instances, boolean faulted, List<Finding> ofOneRun) {
    Set<Rule> allowed = expected.in(instances, faulted);
    for (Finding finding : ofOneRun) {
      findings.merge(finding.rule(), finding, SubjectJudge::weightier);
      boolean violated = finding.verdict() == Verdict.VIOLATED;
      boolean must = finding.rule().strength() == Rule.Strength.MUST;
      if (violated && !allowed.contains(finding.rule()) && (must || expected.isBaseline())) {
        surprises.putIfAbsent(finding.rule(), finding);
      }
    }
  }

  /** Adds what another judge was told of the same subject. */
  void add(SubjectJudge other) {
    other.findings.forEach((rule, f) -> findings.merge(rule, f, SubjectJudge::weightier));
    other.surprises.forEach(surprises::putIfAbsent);
    failures.addAll(other.failures);
  }

  /** Adds a run that could not be made. */
  public void addFailure(String reason) {
    failures.add(reason);
  }

  /** The first violation of a rule; null if it was not broken so far. */
  public @Nullable Finding violation(Rule rule) {
    Finding finding = findings.get(rule);
    return finding != null && finding.verdict() == Verdict.VIOLATED ? finding : null;
  }

  private static Finding weightier(Finding one, Finding other) {
    return weight(other) > weight(one) ? other : one;
  }

  private static int weight(Finding finding) {
    return switch (finding.verdict()) {
      case VIOLATED -> 3;
      case INCONCLUSIVE -> finding.reached() ? 2 : 0;
      default -> 1;
    };
  }

  /**
   * The verdict so far. VIOLATED if a rule was broken that was not expected to be; INCONCLUSIVE if
   * a run failed, if a baseline did not show what it must, or if another subject never reached a
   * required rule; else AS_EXPECTED for a baseline and PASS for the rest. A SHOULD rule weighs only
   * for baselines.
   *
   * @param required rules that have to be reached
   * @param mustShow rules a baseline has to be seen breaking
   */
  public SubjectVerdict verdict(Set<Rule> required, Set<Rule> mustShow) {
    Map<Rule, Finding> all = new TreeMap<>(findings);
    if (!surprises.isEmpty()) {
      all.putAll(surprises);
      return result(Verdict.VIOLATED, "broke " + ids(surprises.keySet()), all);
    }
    if (!failures.isEmpty()) {
      return result(Verdict.INCONCLUSIVE, failures.get(0), all);
    }
    List<Rule> open = all.values().stream().filter(f -> weight(f) == 2).map(Finding::rule).toList();
    if (!open.isEmpty()) {
      return result(Verdict.INCONCLUSIVE, "could not decide " + ids(open), all);
    }
    return expected.isBaseline() ? baseline(mustShow, all) : other(required, all);
  }

  private SubjectVerdict baseline(Set<Rule> mustShow, Map<Rule, Finding> all) {
    List<Rule> missing =
        mustShow.stream().sorted().filter(rule -> violation(rule) == null).toList();
    boolean anyBroken = all.values().stream().anyMatch(f -> f.verdict() == Verdict.VIOLATED);
    if (!missing.isEmpty() || !anyBroken) {
      return result(
          Verdict.INCONCLUSIVE,
          missing.isEmpty() ? "broke nothing this time" : "did not show " + ids(missing),
          all);
    }
    return result(Verdict.AS_EXPECTED, "breaks what it is known to break", all);
  }

  private SubjectVerdict other(Set<Rule> required, Map<Rule, Finding> all) {
    List<Rule> unreached =
        required.stream().sorted().filter(rule -> weightOf(all, rule) == 0).toList();
    return unreached.isEmpty()
        ? result(Verdict.PASS, "every required rule was reached and held", all)
        : result(Verdict.INCONCLUSIVE, "never reached " + ids(unreached), all);
  }

  private static int weightOf(Map<Rule, Finding> all, Rule rule) {
    Finding finding = all.get(rule);
    return finding == null ? 0 : weight(finding);
  }

  private SubjectVerdict result(Verdict verdict, String reason, Map<Rule, Finding> all) {
    return new SubjectVerdict(verdict, reason, List.copyOf(all.values()), surprises.keySet());
  }

  private static String ids(Iterable<Rule> rules) {
    List<String> ids = new ArrayList<>();
    rules.forEach(rule -> ids.add(rule.id()));
    return String.join(", ", ids);
  }
}
