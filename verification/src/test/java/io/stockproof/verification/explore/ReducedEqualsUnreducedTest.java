package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.subjects.Subjects;
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
      Seen reduced = Seen.search(stage, scenario, FaultPlan.CALM, true);
      Seen all = Seen.search(stage, scenario, FaultPlan.CALM, false);

      assertThat(all.runs).as("there is an order to choose").isGreaterThan(1);
      assertThat(reduced.ends).isEqualTo(all.ends);
      assertThat(reduced.broken).isEqualTo(all.broken);
      assertThat(reduced.runs).isPositive().isLessThanOrEqualTo(all.runs);
      assertThat(reduced.classes).isEqualTo(all.classes);
      if (scenario.instances() > 1) {
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
      Seen reduced = Seen.search(stage, requests("A,B", 2, 2), FaultPlan.CALM, true);
      Seen all = Seen.search(stage, requests("A,B", 2, 2), FaultPlan.CALM, false);

      assertThat(reduced.ends).isEqualTo(all.ends).hasSize(3);
      assertThat(reduced.broken).isEqualTo(all.broken);
    }
  }

  /** Requests, stock and instances. */
  private static Scenario scenario(String what) {
    String[] parts = what.split(" ", -1);
    return requests(parts[0], Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
  }
}
