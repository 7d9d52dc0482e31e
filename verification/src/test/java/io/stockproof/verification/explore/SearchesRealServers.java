package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.WithoutDisk;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.subjects.Subjects;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the tests of the search share: servers that need not wait for a disk, and short words. */
@ExtendWith(WithoutDisk.class)
abstract class SearchesRealServers {

  static final Environment ENVIRONMENT = Environments.shared();
  static final SearchSettings CALM = SearchSettings.calm(Duration.ofSeconds(60));

  /** A new subject of those that come with Stockproof; to be closed. */
  static Subject builtIn(String name) {
    return Subjects.named(name).orElseThrow().make().get();
  }

  /** Opens an explorer where nothing may be thrown; to be closed. */
  static Explorer explorerOf(Subject subject) {
    try {
      return new Explorer(ENVIRONMENT, subject);
    } catch (SQLException e) {
      throw new AssertionError("the database does not answer", e);
    }
  }

  static Exploration explore(Subject subject, Scenario scenario, SearchSettings settings)
      throws Exception {
    return explore(subject, scenario, settings, Explorer.Observer.NONE);
  }

  /** Searches, and closes the subject. */
  static Exploration explore(
      Subject subject, Scenario scenario, SearchSettings settings, Explorer.Observer observer)
      throws Exception {
    try (subject;
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      return explorer.explore(scenario, settings, observer);
    }
  }

  /** Every order under one plan of faults, as often as a test has to look inside the runs. */
  static void everyOrder(Stage stage, Scenario scenario, FaultPlan plan, RunObserver observer)
      throws Exception {
    Reduction reduction = new Reduction(true);
    Memory memory = new Memory();
    int runs = 0;
    while (reduction.hasNext()) {
      Run run = stage.run(scenario, plan, reduction, memory);
      reduction.finished(run.trace());
      observer.ended(run);
      runs++;
    }
    assertThat(runs).isPositive();
    assertThat(reduction.gaveUp()).as("every order was made").isFalse();
  }

  /** Told each run. */
  interface RunObserver {
    void ended(Run run);
  }

  /** Requests by letters, one a request. */
  static Scenario requests(String letters, long total, int instances) {
    return SearchPlan.requests(List.of(letters.split(",", -1)), total, instances);
  }

  static SearchSettings withFaults(int most, CommandFault... faults) {
    return CALM.withFaults(Set.of(faults), most);
  }

  static Exploration.Result resultOf(Rule rule, Exploration exploration) {
    return exploration.rules().stream()
        .filter(result -> result.rule() == rule)
        .findFirst()
        .orElseThrow();
  }

  /** What is shown of a broken rule. */
  static Exploration.Witness witnessOf(Rule rule, Exploration exploration) {
    return Objects.requireNonNull(resultOf(rule, exploration).witness());
  }
}
