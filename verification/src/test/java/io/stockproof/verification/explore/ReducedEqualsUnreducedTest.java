package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import io.stockproof.verification.subjects.Subjects;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Leaving out equivalent orders leaves out nothing that can be seen. */
final class ReducedEqualsUnreducedTest extends SearchesRealServers {

  /** Every subject that comes with Stockproof, on two instances and on one. */
  static Stream<Arguments> searches() {
    return Subjects.all().stream()
        .map(Subjects.Entry::name)
        .flatMap(
            name ->
                Stream.of("A,B 1 2", "A,A 2 2", "A,B 1 1", "A,A 2 1")
                    .filter(what -> !(name.equals("stockproof") && what.equals("A,A 2 1")))
                    .map(what -> Arguments.of(name, what)));
  }

  @ParameterizedTest
  @MethodSource("searches")
  void everyEndAndEveryBrokenRuleIsFound(String name, String what) throws Exception {
    Scenario scenario = scenario(what);
    try (Subject subject = builtIn(name);
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      Seen reduced = search(stage, scenario, true);
      Seen all = search(stage, scenario, false);

      assertThat(reduced.ends).isEqualTo(all.ends);
      assertThat(reduced.broken).isEqualTo(all.broken);
      assertThat(reduced.runs).isLessThan(all.runs);
      if (scenario.instances() > 1) {
        assertThat(reduced.classes).isEqualTo(all.classes);
        assertThat(reduced.runs).as("none twice").isEqualTo(reduced.classes.size());
      }
    }
  }

  @Test
  void everyEndIsFoundWhereRequestsShareAConnection() throws Exception {
    everyEndAndEveryBrokenRuleIsFound("stockproof", "A,A 2 1");
  }

  @Test
  void D10_everyEndOfADeadlockIsFound() throws Exception {
    try (Subject subject = Homemade.crossedLocks();
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      Seen reduced = search(stage, requests("A,B", 2, 2), true);
      Seen all = search(stage, requests("A,B", 2, 2), false);

      assertThat(reduced.ends).isEqualTo(all.ends).hasSize(3);
      assertThat(reduced.broken).isEqualTo(all.broken);
    }
  }

  /** Requests, stock and instances. */
  private static Scenario scenario(String what) {
    String[] parts = what.split(" ", -1);
    return requests(parts[0], Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
  }

  private static Seen search(Stage stage, Scenario scenario, boolean reduced) throws Exception {
    Seen seen = new Seen();
    Reduction reduction = new Reduction(reduced);
    Memory memory = new Memory();
    while (reduction.hasNext()) {
      Run run = stage.run(scenario, FaultPlan.CALM, reduction, memory);
      reduction.finished(run.trace());
      assertThat(reduction.diverged()).as("left its way").isFalse();
      seen.note(run, Rules.judge(endOf(run), stage.subject().capabilities()));
    }
    return seen;
  }

  private static History endOf(Run run) {
    assertThat(run.stall()).isNull();
    return Objects.requireNonNull(run.history());
  }

  /** What came of all runs of a search. */
  private static final class Seen {
    final Set<Object> ends = new HashSet<>();
    final Set<Rule> broken = EnumSet.noneOf(Rule.class);
    final Set<String> classes = new HashSet<>();
    int runs;

    void note(Run run, List<Finding> findings) {
      runs++;
      classes.add(new Reduction.Order(run.effects()).canonical());
      List<String> told =
          endOf(run).calls(Call.Phase.SALE).stream()
              .map(call -> call.userId() + " " + call.outcome())
              .toList();
      ends.add(List.of(String.valueOf(endOf(run).atRest()), told));
      findings.stream()
          .filter(finding -> finding.verdict() == Verdict.VIOLATED)
          .forEach(finding -> broken.add(finding.rule()));
    }
  }
}
