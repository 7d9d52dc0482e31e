package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Subject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which interesting states a run has met. */
final class GoalsTest extends SearchesRealServers {

  @Test
  void aRunMeetsWhatItsStepsShow() throws Exception {
    try (Subject subject = builtIn("lua-gate");
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      assertThat(met(stage, FaultPlan.CALM, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1)).isEmpty();
      assertThat(met(stage, FaultPlan.CALM, 0, 1, 0, 1, 0, 0, 0, 1, 1, 1))
          .containsExactly("two-past-gate");
      assertThat(met(stage, FaultPlan.CALM, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1))
          .containsExactlyInAnyOrder("two-past-gate", "lock-wait");
      assertThat(met(stage, strike(3, CommandFault.ERROR_1213), 0, 0, 0, 0, 0, 0, 1))
          .containsExactlyInAnyOrder("fault", "compensation");
      assertThat(met(stage, strike(2, CommandFault.CRASH), 0, 0, 0))
          .containsExactlyInAnyOrder("crash", "two-past-gate");
    }
  }

  @Test
  void aRetryAfterAnErrorIsMetByTheCore() throws Exception {
    try (Subject subject = builtIn("stockproof");
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      assertThat(met(stage, strike(1, CommandFault.ERROR_1213), 0)).contains("retry-after-error");
    }
  }

  private static FaultPlan strike(int command, CommandFault fault) {
    return new FaultPlan(List.of(new FaultPlan.Strike(0, command, fault)));
  }

  private static List<String> met(Stage stage, FaultPlan plan, Integer... order) throws Exception {
    Goals goals = new Goals();
    goals.count(stage.run(requests("A,B", 2, 2), plan, Choosers.following(List.of(order)), null));
    List<String> met = new ArrayList<>();
    goals
        .met()
        .forEach(
            (goal, runs) -> {
              if (runs > 0) {
                met.add(goal);
              }
            });
    return met;
  }
}
