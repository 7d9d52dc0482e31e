package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.rules.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a search without faults finds on real servers, and what it does not claim. */
final class SearchTest extends SearchesRealServers {

  @Test
  void T01_D02_noControlIsSeenToOversellWithinFiveRunsAndShrunk() throws Exception {
    Exploration found = explore(builtIn("no-control"), Scenario.users(1, 2, 1, 1), CALM);

    Exploration.Witness witness = witnessOf(Rule.R101, found);
    assertThat(found.verdict()).isEqualTo(Verdict.VIOLATED);
    assertThat(witness.foundAtRun()).isLessThanOrEqualTo(5);
    assertThat(witness.run().requests()).isEqualTo(2);
    assertThat(witness.run().commands()).isLessThanOrEqualTo(8);
    assertThat(witness.run().faults()).isZero();
    assertThat(resultOf(Rule.R103, found).verdict()).as("lost update").isEqualTo(Verdict.VIOLATED);
  }

  @Test
  void aRuleIsShrunkOnceASubjectUnlessASmallerRunBreaksIt() throws Exception {
    try (Subject subject = builtIn("lua-gate");
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      Scenario alone = Scenario.users(1, 1, 1, 1);
      SearchSettings crashes = withFaults(1, CommandFault.CRASH);
      Exploration crash = explore(explorer, alone, crashes);
      Exploration twice = explore(explorer, requests("A,A", 2, 1), CALM, crash);
      Exploration again = explore(explorer, alone, crashes, crash, twice);

      assertThat(witnessOf(Rule.R304, crash).run().faults()).isEqualTo(1);
      assertThat(witnessOf(Rule.R304, twice).run().faults()).as("smaller").isZero();
      assertThat(resultOf(Rule.R304, again).verdict()).isEqualTo(Verdict.VIOLATED);
      assertThat(resultOf(Rule.R304, again).witness()).as("without a fault is less").isNull();
      assertThat(Exploration.shortest(List.of(crash, twice, again), Rule.R304))
          .isEqualTo(witnessOf(Rule.R304, twice));
    }
  }

  private static Exploration explore(
      Explorer explorer, Scenario scenario, SearchSettings settings, Exploration... before)
      throws Exception {
    return explorer.explore(scenario, settings, Explorer.Observer.NONE, List.of(before));
  }

  @Test
  void aRepeatOnTheLuaGateIsToldDuplicateBeforeThereIsARow() throws Exception {
    Exploration found = explore(builtIn("lua-gate"), requests("A,A", 2, 1), CALM);

    assertThat(resultOf(Rule.R304, found).verdict()).isEqualTo(Verdict.VIOLATED);
    assertThat(resultOf(Rule.R101, found).verdict()).isEqualTo(Verdict.PASS);
    assertThat(resultOf(Rule.R102, found).verdict()).isEqualTo(Verdict.PASS);
  }

  @ParameterizedTest
  @CsvSource({"1, PASS", "2, VIOLATED"})
  void L01_L02_aMonitorAroundTheTransactionHoldsInOneProcessOnly(int instances, Verdict verdict)
      throws Exception {
    Exploration found = explore(builtIn("synchronized"), Scenario.users(1, 2, 1, instances), CALM);

    assertThat(resultOf(Rule.R101, found).verdict()).isEqualTo(verdict);
    assertThat(found.exhaustive()).as(found.limits().toString()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"'A,B,C', 1, 1", "'A,B,C', 1, 3", "'A,A,B', 2, 1", "'A,A,B', 2, 3"})
  void theCoreHoldsInEveryOrderOfThreeRequests(String letters, long total, int instances)
      throws Exception {
    Exploration found = explore(builtIn("stockproof"), requests(letters, total, instances), CALM);

    assertThat(found.rules())
        .filteredOn(result -> result.verdict() == Verdict.VIOLATED)
        .as("broken")
        .isEmpty();
    assertThat(found.verdict()).isEqualTo(Verdict.PASS);
    assertThat(found.exhaustive()).as(found.limits().toString()).isTrue();
    assertThat(found.goals().get("refused")).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"2, 4", "3, 36", "4, 576"})
  void thePlainGateFlowHasTheClassesThatArithmeticSays(int users, int classes) throws Exception {
    Exploration found =
        explore(Homemade.plainGateFlow(), Scenario.users(1, users, users, users), CALM);

    assertThat(found.classes()).isEqualTo(classes);
    assertThat(found.interleavings()).isEqualTo(classes);
    assertThat(found.exhaustive()).as(found.limits().toString()).isTrue();
    assertThat(found.verdict()).as(found.rules().toString()).isEqualTo(Verdict.PASS);
    assertThat(found.goals().get("two-past-gate")).isPositive();
  }
}
