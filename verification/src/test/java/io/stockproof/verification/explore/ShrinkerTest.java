package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.rules.Rule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is shown of a failure is as small as it gets, and has failed again. */
final class ShrinkerTest extends SearchesRealServers {

  private static final Duration BUDGET = Duration.ofSeconds(10);

  @Test
  void threeRequestsAreShrunkToTheTwoThatMatter() throws Exception {
    try (Subject subject = builtIn("no-control");
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      Scenario three = Scenario.users(1, 3, 1, 3);
      List<Integer> inTurns = List.of(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2);
      Run failing = explorer.follow(three, FaultPlan.CALM, inTurns);
      assertThat(explorer.breaks(failing, Rule.R101)).isTrue();

      Run shrunk = new Shrinker(explorer, CALM).shrink(failing, Rule.R101, BUDGET);

      assertThat(shrunk).isNotNull();
      assertThat(shrunk.scenario().requests()).hasSize(2);
      assertThat(shrunk.commands()).isLessThanOrEqualTo(8);
      assertThat(shrunk.switches()).isLessThanOrEqualTo(2);
      assertThat(explorer.breaks(shrunk, Rule.R101)).isTrue();
    }
  }

  @Test
  void aFaultThatDoesNotMatterIsLeftOut() throws Exception {
    try (Subject subject = builtIn("lua-gate");
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      FaultPlan two =
          new FaultPlan(
              List.of(
                  new FaultPlan.Strike(0, 4, CommandFault.LOST_BEFORE),
                  new FaultPlan.Strike(1, 0, CommandFault.LOST_BEFORE)));
      Run failing = explorer.follow(requests("A,B", 2, 2), two, List.of());
      assertThat(explorer.breaks(failing, Rule.R203)).isTrue();

      Run shrunk = new Shrinker(explorer, CALM).shrink(failing, Rule.R203, BUDGET);

      assertThat(shrunk).isNotNull();
      assertThat(shrunk.scenario().requests()).hasSize(1);
      assertThat(shrunk.plan().strikes())
          .containsExactly(new FaultPlan.Strike(0, 4, CommandFault.LOST_BEFORE));
    }
  }

  @Test
  void whatDoesNotFailAgainIsNotShown() throws Exception {
    try (Subject subject = builtIn("synchronized");
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      Run harmless = explorer.follow(Scenario.users(1, 2, 1, 1), FaultPlan.CALM, List.of());

      assertThat(new Shrinker(explorer, CALM).shrink(harmless, Rule.R101, BUDGET)).isNull();
    }
  }
}
