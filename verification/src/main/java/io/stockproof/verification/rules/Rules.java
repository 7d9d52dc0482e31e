package io.stockproof.verification.rules;

import io.stockproof.verification.Capability;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Judges histories. Stateless and safe for use by any number of threads; near-linear in the calls
 * and the books of a history.
 */
public final class Rules {
  private static final Map<Rule, Function<Evidence, Finding>> CHECKERS = new EnumMap<>(Rule.class);

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
    CHECKERS.put(Rule.R503, CrashRules::crashLosesAndDoublesNothing);
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
    List<Finding> findings = new ArrayList<>();
    CHECKERS.forEach(
        (rule, checker) -> {
          if (appliesTo(rule, capabilities)) {
            findings.add(checker.apply(evidence));
          }
        });
    if (appliesTo(Rule.R701, capabilities)) {
      findings.add(rightWithSeveralInstances(evidence, findings));
    }
    return findings;
  }

  /** Rules that can be judged today, whatever the subject. */
  public static Set<Rule> judged() {
    Set<Rule> rules = EnumSet.copyOf(CHECKERS.keySet());
    rules.add(Rule.R701);
    return rules;
  }

  /** Whether the subject claims what the rule is about. */
  public static boolean appliesTo(Rule rule, Set<Capability> capabilities) {
    return rule.capability() == null || capabilities.contains(rule.capability());
  }

  private static Finding rightWithSeveralInstances(Evidence evidence, List<Finding> findings) {
    long asked = evidence.calls().stream().mapToInt(Call::instance).distinct().count();
    if (asked < 2) {
      return Finding.notReached(Rule.R701, "one instance was asked");
    }
    List<Finding> must =
        findings.stream().filter(f -> f.rule().strength() == Rule.Strength.MUST).toList();
    List<Finding> broken = must.stream().filter(f -> f.verdict() == Verdict.VIOLATED).toList();
    if (!broken.isEmpty()) {
      return Finding.violated(
          Rule.R701,
          String.join(", ", broken.stream().map(f -> f.rule().id()).toList())
              + " with "
              + asked
              + " instances",
          broken.get(0).moment());
    }
    return must.stream().anyMatch(f -> f.verdict() == Verdict.PASS)
        ? Finding.pass(Rule.R701, asked + " instances")
        : Finding.notReached(Rule.R701, "no other rule was reached");
  }
}
