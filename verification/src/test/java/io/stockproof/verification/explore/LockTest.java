package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Subject;
import io.stockproof.verification.history.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Row locks: who waits is asked of the server, and deadlocks are real. */
final class LockTest extends SearchesRealServers {

  @Test
  void aWaitForARowIsSeenAndLaidToItsHolder() throws Exception {
    try (Subject subject = Homemade.plainGateFlow();
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      // Both pass the gate, A updates the row, and then B tries to, long before A commits.
      Run run =
          stage.run(
              requests("A,B", 2, 2),
              FaultPlan.CALM,
              Choosers.following(List.of(0, 1, 0, 1, 0, 0)),
              null);

      Step second = run.steps().get(3);
      assertThat(second.name()).isEqualTo("UPDATE");
      assertThat(second.waiting()).containsExactly(new Step.Wait(1, 0, "coupon#1"));
      assertThat(second.settledAfter()).as("got it after A's COMMIT").isEqualTo(6);
      assertThat(Lanes.draw(Drawing.of(run, 0), 120)).contains("┊ waits for A, row coupon#1");
      assertThat(run.effects()).extracting(Chooser.Done::actor).startsWith(0, 1, 0, 0, 0, 1);
      assertThat(outcomes(run)).containsExactly(IssueOutcome.ISSUED, IssueOutcome.ISSUED);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = SearchSettings.Mode.class,
      names = {"RANDOM", "PCT"})
  void searchesByChanceMeetLockWaitsAndClaimNothing(SearchSettings.Mode mode) throws Exception {
    SearchSettings byChance =
        new SearchSettings(mode, Set.of(), 0, Duration.ofMillis(1500), 7, true);

    Exploration found = explore(Homemade.plainGateFlow(), requests("A,B,C", 3, 3), byChance);

    assertThat(found.goals().get("lock-wait")).isPositive();
    assertThat(found.goals().get("two-past-gate")).isPositive();
    assertThat(found.exhaustive()).isFalse();
    assertThat(found.limits()).contains("orders were drawn by chance, seed 7");
  }

  @Test
  void D10_aRealDeadlockIsProvokedAndEachOfTheTwoIsItsVictimOnce() throws Exception {
    try (Subject subject = Homemade.crossedLocks();
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      List<Run> runs = new ArrayList<>();
      everyOrder(stage, requests("A,B", 2, 2), FaultPlan.CALM, runs::add);

      assertThat(runs)
          .extracting(LockTest::outcomes)
          .contains(
              List.of(IssueOutcome.ISSUED, IssueOutcome.UNAVAILABLE),
              List.of(IssueOutcome.UNAVAILABLE, IssueOutcome.ISSUED));
      assertThat(runs)
          .filteredOn(run -> outcomes(run).contains(IssueOutcome.UNAVAILABLE))
          .allSatisfy(
              run ->
                  assertThat(Lanes.draw(Drawing.of(run, 0), 120))
                      .contains("→ error 1213")
                      .contains("┊ waits for "));
    }
  }

  private static List<IssueOutcome> outcomes(Run run) {
    return Objects.requireNonNull(run.history()).calls(Call.Phase.SALE).stream()
        .map(Call::outcome)
        .toList();
  }
}
