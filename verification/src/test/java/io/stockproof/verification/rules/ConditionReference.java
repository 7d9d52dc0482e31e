package io.stockproof.verification.rules;

import static io.stockproof.verification.Verdict.INCONCLUSIVE;
import static io.stockproof.verification.Verdict.PASS;
import static io.stockproof.verification.Verdict.VIOLATED;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.history.BadInput;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * From the words of SPEC.md, the rules on windows and input, and those that say when others must
 * hold. What the others say is asked of the reference, not of their checkers.
 */
final class ConditionReference {
  private static final Set<Rule> OF_STORES =
      EnumSet.of(
          Rule.R101, Rule.R102, Rule.R103, Rule.R104, Rule.R105, Rule.R201, Rule.R202, Rule.R203,
          Rule.R204);

  private final History history;
  private final Reference reference;

  ConditionReference(History history, Reference reference) {
    this.history = history;
    this.reference = reference;
  }

  Verdict verdict(Rule rule) {
    return switch (rule) {
      case R501 -> history.faulted() ? all(OF_STORES) : INCONCLUSIVE;
      case R502 ->
          history.wire() != null && !history.wire().losses().isEmpty()
              ? all(EnumSet.of(Rule.R101, Rule.R102, Rule.R202, Rule.R303, Rule.R308))
              : INCONCLUSIVE;
      case R601 -> outsideWindow();
      case R602 -> openedAgain();
      case R603 -> badInput();
      case R701 -> severalInstances();
      default -> throw new IllegalArgumentException("rule must be conditional, was " + rule);
    };
  }

  private Verdict all(Set<Rule> rules) {
    List<Verdict> verdicts = new ArrayList<>();
    rules.forEach(rule -> verdicts.add(reference.verdict(rule)));
    return verdicts.contains(VIOLATED) ? VIOLATED : verdicts.contains(PASS) ? PASS : INCONCLUSIVE;
  }

  private List<Call> calls(boolean ofOperator) {
    return history.calls().stream()
        .filter(call -> ofOperator ? call.phase() == Call.Phase.OPENS_AGAIN : call.phase().asks())
        .filter(call -> call.couponId() == history.scenario().couponId())
        .toList();
  }

  private Verdict outsideWindow() {
    if (history.scenario().window() == Scenario.Window.OPEN) {
      return INCONCLUSIVE;
    }
    Set<IssueOutcome> wrong =
        EnumSet.of(
            IssueOutcome.ISSUED,
            IssueOutcome.ACCEPTED,
            IssueOutcome.DUPLICATE,
            IssueOutcome.SOLD_OUT);
    boolean given = reference.anyRow();
    boolean told = calls(false).stream().anyMatch(call -> wrong.contains(call.outcome()));
    boolean right = calls(false).stream().anyMatch(c -> c.outcome() == IssueOutcome.NOT_OPEN);
    return given || told ? VIOLATED : right ? PASS : INCONCLUSIVE;
  }

  /** An operator who was refused, or never came to an end, may have changed nothing by luck. */
  private Verdict openedAgain() {
    if (calls(true).isEmpty()) {
      return INCONCLUSIVE;
    }
    Verdict verdict = all(OF_STORES);
    boolean opened =
        calls(true).stream().anyMatch(call -> call.error() == null && call.end() != Call.NEVER);
    return verdict == PASS && !opened ? INCONCLUSIVE : verdict;
  }

  private Verdict badInput() {
    List<BadInput> inputs = history.badInputs();
    boolean broken =
        inputs.stream()
            .anyMatch(
                input ->
                    !input.refused()
                        || input.changed()
                        || input.commands() != 0
                        || !String.valueOf(input.error())
                            .toLowerCase(Locale.ROOT)
                            .contains(input.parameter()));
    return broken ? VIOLATED : inputs.isEmpty() ? INCONCLUSIVE : PASS;
  }

  private Verdict severalInstances() {
    long asked = calls(false).stream().map(Call::instance).distinct().count();
    Set<Rule> must = EnumSet.noneOf(Rule.class);
    for (Rule rule : Rule.values()) {
      boolean judged = Rules.judged().contains(rule) && rule != Rule.R701;
      if (judged && rule.strength() == Rule.Strength.MUST) {
        must.add(rule);
      }
    }
    return asked < 2 ? INCONCLUSIVE : all(must);
  }
}
