package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Commands whose order matters although they name different rows or keys: every end that there is
 * without the reduction is found with it.
 */
final class DependencyTest extends SearchesRealServers {

  @Test
  void D11_threeInsertsOfOneKeyOfWhichTheFirstIsRolledBack() throws Exception {
    try (Subject subject = Hazards.insertsOfOneKey();
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      Seen reduced = Seen.search(stage, requests("A,A,A", 3, 3), FaultPlan.CALM, true);
      Seen all = Seen.search(stage, requests("A,A,A", 3, 3), FaultPlan.CALM, false);

      // Which of the two that wait is given up is for the server to say.
      assertThat(all.told)
          .containsExactlyInAnyOrder(
              List.of("SOLD_OUT", "SOLD_OUT", "SOLD_OUT"),
              List.of("SOLD_OUT", "SOLD_OUT", "UNAVAILABLE"));
      assertThat(reduced.told).isEqualTo(all.told);
    }
  }

  @Test
  void D10_whatComesOfADeadlockWhileAThirdGoesOn() throws Exception {
    everyEndIsFound(Hazards.deadlockThatIsTold(), requests("A,B,C", 3, 3), FaultPlan.CALM);
  }

  @Test
  void theGapOfARowThatIsNotThere() throws Exception {
    everyEndIsFound(Hazards.gapOfAnAbsentRow(), requests("A,B", 2, 2), FaultPlan.CALM);
  }

  @Test
  void aRowThatRefersToAnother() throws Exception {
    everyEndIsFound(Hazards.foreignKey(), requests("A,B", 2, 2), FaultPlan.CALM);
  }

  @Test
  void aKeyThatIsWatched() throws Exception {
    everyEndIsFound(Hazards.watchedKey(), requests("A,B", 2, 2), FaultPlan.CALM);
  }

  @Test
  void whatAnInstanceRemembersOfAnotherRequest() throws Exception {
    everyEndIsFound(Hazards.rememberingInstance(), requests("A,B", 2, 1), FaultPlan.CALM);
  }

  @Test
  void theDeathOfAnInstanceThatRequestsShare() throws Exception {
    FaultPlan dies = new FaultPlan(List.of(new FaultPlan.Strike(0, 2, CommandFault.CRASH)));

    everyEndIsFound(
        Homemade.afterThinking("shares-its-death", userId -> {}), requests("A,B", 2, 1), dies);
  }

  @Test
  void requestsThatNothingTellsApartStartInOneOrder() throws Exception {
    assertThat(whoStartsFirst("A,B")).containsExactlyInAnyOrder(0, 1);
    assertThat(whoStartsFirst("A,A")).containsExactly(0);
  }

  private static Set<Integer> whoStartsFirst(String letters) throws Exception {
    Set<Integer> first = new HashSet<>();
    try (Subject subject = builtIn("lua-gate");
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      Reduction reduction = new Reduction(true);
      while (reduction.hasNext()) {
        Run run = stage.run(requests(letters, 2, 1), FaultPlan.CALM, reduction, null);
        reduction.finished(run.trace());
        first.add(run.steps().get(0).actor());
      }
    }
    return first;
  }

  private static void everyEndIsFound(Subject subject, Scenario scenario, FaultPlan plan)
      throws Exception {
    try (subject;
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      Seen reduced = Seen.search(stage, scenario, plan, true);
      Seen all = Seen.search(stage, scenario, plan, false);

      assertThat(all.ends).as("the order matters").hasSizeGreaterThan(1);
      assertThat(reduced.ends).isEqualTo(all.ends);
    }
  }
}
