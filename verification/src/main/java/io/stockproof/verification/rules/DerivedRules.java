package io.stockproof.verification.rules;

import io.stockproof.verification.Verdict;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.Wire;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * R501, R502, R602 and R701: other rules, under a condition. They follow from the findings of the
 * same run.
 */
final class DerivedRules {

  /** Not oversell, not undersell, not "sold out". */
  private static final Set<Rule> AFTER_LOSS =
      EnumSet.of(Rule.R101, Rule.R102, Rule.R202, Rule.R303, Rule.R308);

  private DerivedRules() {}

  static Finding keptThroughFaults(Evidence evidence, List<Finding> findings) {
    return evidence.history().faulted()
        ? derive(Rule.R501, findings, DerivedRules::isOfStores, "with a fault")
        : Finding.notReached(Rule.R501, "no fault struck");
  }

  static Finding lossIsHarmless(Evidence evidence, List<Finding> findings) {
    Wire wire = evidence.history().wire();
    if (wire == null || wire.losses().isEmpty()) {
      return Finding.notReached(Rule.R502, "Redis lost nothing");
    }
    return derive(Rule.R502, findings, AFTER_LOSS::contains, "after Redis lost data");
  }

  static Finding openingAgainChangesNothing(Evidence evidence, List<Finding> findings) {
    List<Call> openings = evidence.history().calls(Call.Phase.OPENS_AGAIN);
    if (openings.isEmpty()) {
      return Finding.notReached(Rule.R602, "nobody opened the coupon again");
    }
    Finding derived = derive(Rule.R602, findings, DerivedRules::isOfStores, "after opening again");
    boolean opened =
        openings.stream().anyMatch(call -> call.error() == null && call.end() != Call.NEVER);
    return derived.verdict() == Verdict.PASS && !opened
        ? Finding.notReached(Rule.R602, "opening again failed: " + openings.get(0).error())
        : derived;
  }

  static Finding rightWithSeveralInstances(Evidence evidence, List<Finding> findings) {
    long asked = evidence.calls().stream().mapToInt(Call::instance).distinct().count();
    return asked < 2
        ? Finding.notReached(Rule.R701, "one instance was asked")
        : derive(Rule.R701, findings, rule -> true, "with " + asked + " instances");
  }

  /** MUST rules of the families R1xx and R2xx. */
  private static boolean isOfStores(Rule rule) {
    return rule.id().startsWith("R1") || rule.id().startsWith("R2");
  }

  private static Finding derive(
      Rule rule, List<Finding> findings, Predicate<Rule> from, String when) {
    List<Finding> must =
        findings.stream()
            .filter(f -> f.rule().strength() == Rule.Strength.MUST && from.test(f.rule()))
            .toList();
    List<Finding> broken = must.stream().filter(f -> f.verdict() == Verdict.VIOLATED).toList();
    if (!broken.isEmpty()) {
      List<String> ids = broken.stream().map(f -> f.rule().id()).toList();
      return Finding.violated(rule, String.join(", ", ids) + " " + when, broken.get(0).moment());
    }
    long held = must.stream().filter(f -> f.verdict() == Verdict.PASS).count();
    return held > 0
        ? Finding.pass(rule, held + " rules held " + when)
        : Finding.notReached(rule, "no other rule was reached");
  }
}
