package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What came of all runs of a search. */
final class Seen {
  final Set<Object> ends = new HashSet<>();

  /** What was told in each end, whoever was told it. */
  final Set<List<String>> told = new HashSet<>();

  final Set<Rule> broken = EnumSet.noneOf(Rule.class);
  final Set<String> classes = new HashSet<>();
  int runs;

  private Seen() {}

  /**
   * Searches.
   *
   * @param reduced false for every order there is
   */
  static Seen search(Stage stage, Scenario scenario, FaultPlan plan, boolean reduced)
      throws Exception {
    Seen seen = new Seen();
    Reduction reduction = new Reduction(reduced);
    Memory memory = new Memory();
    while (reduction.hasNext()) {
      Run run = stage.run(scenario, plan, reduction, memory);
      reduction.finished(run.trace());
      assertThat(reduction.gaveUp()).as("left its way").isFalse();
      if (!reduction.diverged()) {
        seen.note(run, Rules.judge(endOf(run), stage.subject().capabilities()));
      }
    }
    return seen;
  }

  private static History endOf(Run run) {
    assertThat(run.stall()).isNull();
    return Objects.requireNonNull(run.history());
  }

  private void note(Run run, List<Finding> findings) {
    runs++;
    classes.add(new Reduction.Order(run.effects()).canonical());
    List<Call> calls = endOf(run).calls(Call.Phase.SALE);
    ends.add(
        List.of(
            String.valueOf(endOf(run).atRest()),
            calls.stream()
                .map(c -> c.userId() + " " + c.outcome() + (c.cutOff() ? " cut off" : ""))
                .toList()));
    told.add(calls.stream().map(c -> String.valueOf(c.outcome())).sorted().toList());
    findings.stream()
        .filter(finding -> finding.verdict() == Verdict.VIOLATED)
        .forEach(finding -> broken.add(finding.rule()));
  }
}
