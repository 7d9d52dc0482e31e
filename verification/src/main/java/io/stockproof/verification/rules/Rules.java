package io.stockproof.verification.rules;

import io.stockproof.verification.Capability;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Judges histories. Stateless and safe for use by any number of threads; near-linear in the calls
 * and the books of a history.
 */
public final class Rules {
  private static final Map<Rule, Function<Evidence, Finding>> CHECKERS = new EnumMap<>(Rule.class);

  /** From the evidence and the findings of rules before them. */
  private static final Map<Rule, BiFunction<Evidence, List<Finding>, Finding>> DERIVED =
      new EnumMap<>(Rule.class);

  /** Rules about how a coupon is sold: they say nothing of one that is not on sale. */
  private static final Set<Rule> OF_A_SALE =
      EnumSet.of(
          Rule.R202, Rule.R203, Rule.R204, Rule.R206, Rule.R305, Rule.R307, Rule.R308, Rule.R503);

  static {
    CHECKERS.put(Rule.R101, StoreRules::neverMoreRowsThanStock);
    CHECKERS.put(Rule.R102, StoreRules::oneRowAUser);
    CHECKERS.put(Rule.R103, StoreRules::counterEqualsRows);
    CHECKERS.put(Rule.R104, StoreRules::gateStockNeverNegative);
    CHECKERS.put(Rule.R105, StoreRules::couponsApart);
    CHECKERS.put(Rule.R201, RestRules::rowsAndAnswersAgree);
    CHECKERS.put(Rule.R202, RestRules::noUnitLeaked);
    CHECKERS.put(Rule.R203, RestRules::gateAgreesWithRows);
    CHECKERS.put(Rule.R204, RestRules::compensationExactlyOnce);
    CHECKERS.put(Rule.R206, RestRules::soldCompletely);
    CHECKERS.put(Rule.R301, AnswerRules::issuedMeansDurable);
    CHECKERS.put(Rule.R302, AnswerRules::refusalWritesNothing);
    CHECKERS.put(Rule.R303, AnswerRules::soldOutOnlyWhenNothingIsLeft);
    CHECKERS.put(Rule.R304, AnswerRules::duplicateOnlyToAHolder);
    CHECKERS.put(Rule.R305, RetryRules::unavailableLeavesNothing);
    CHECKERS.put(Rule.R306, EndingRules::oneOutcomeWithinDeadline);
    CHECKERS.put(Rule.R307, RetryRules::askingAgainIsHarmless);
    CHECKERS.put(Rule.R308, AnswerRules::contentionIsNotSoldOut);
    CHECKERS.put(Rule.R309, EndingRules::calmEndsInClearAnswers);
    CHECKERS.put(Rule.R401, CostRules::soldOutWritesNothing);
    CHECKERS.put(Rule.R402, CostRules::soldOutLeavesDatabaseAlone);
    CHECKERS.put(Rule.R403, HoldingRules::noConnectionHeldElsewhere);
    CHECKERS.put(Rule.R503, CrashRules::crashLosesAndDoublesNothing);
    CHECKERS.put(Rule.R504, StallRules::stalledHolderCannotWrite);
    CHECKERS.put(Rule.R601, WindowRules::nothingOutsideWindow);
    CHECKERS.put(Rule.R603, WindowRules::badInputHasNoEffect);
    DERIVED.put(Rule.R501, DerivedRules::keptThroughFaults);
    DERIVED.put(Rule.R502, DerivedRules::lossIsHarmless);
    DERIVED.put(Rule.R602, DerivedRules::openingAgainChangesNothing);
    DERIVED.put(Rule.R701, DerivedRules::rightWithSeveralInstances);
  }

  private Rules() {}

  /**
   * Judges a history by every rule that can be judged from one and that applies to what the subject
   * claims, in order of their ids.
   *
   * @param history what was seen of a run
   * @param capabilities what the subject claims
   * @return one finding a rule
   */
  public static List<Finding> judge(History history, Set<Capability> capabilities) {
    Evidence evidence = new Evidence(history);
    boolean onSale = history.scenario().window() == Scenario.Window.OPEN;
    List<Finding> findings = new ArrayList<>();
    CHECKERS.forEach(
        (rule, checker) -> {
          if (appliesTo(rule, capabilities)) {
            findings.add(
                onSale || !OF_A_SALE.contains(rule)
                    ? checker.apply(evidence)
                    : Finding.notReached(rule, "the coupon was not on sale"));
          }
        });
    DERIVED.forEach(
        (rule, checker) -> {
          if (appliesTo(rule, capabilities)) {
            findings.add(checker.apply(evidence, List.copyOf(findings)));
          }
        });
    findings.sort(Comparator.comparing(Finding::rule));
    return findings;
  }

  /**
   * What is known of a subject before any run was judged, in order of ids: the rules that can be
   * judged today and that apply to what it claims, none of them reached.
   *
   * @param capabilities what the subject claims
   */
  public static List<Finding> unreached(Set<Capability> capabilities) {
    return judged().stream()
        .filter(rule -> appliesTo(rule, capabilities))
        .map(rule -> Finding.notReached(rule, "no run was judged"))
        .toList();
  }

  /** Rules that can be judged today, whatever the subject. */
  public static Set<Rule> judged() {
    Set<Rule> rules = EnumSet.copyOf(CHECKERS.keySet());
    rules.addAll(DERIVED.keySet());
    return rules;
  }

  /** Whether the subject claims what the rule is about. */
  public static boolean appliesTo(Rule rule, Set<Capability> capabilities) {
    return rule.capability() == null || capabilities.contains(rule.capability());
  }
}
