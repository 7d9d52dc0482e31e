package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the implementation does by itself beside the requests, and a Redis that comes back older.
 */
final class RecoveryBesideTest extends SearchesRealServers {

  private static final Scenario ALONE = requests("A", 1, 1);
  private static final Scenario TWO = requests("A,B", 1, 2);

  @ParameterizedTest
  @EnumSource
  void everyOrderBesideOneRequestKeepsTheRulesOfTheCalm(Recovery recovery) throws Exception {
    List<Finding> findings = new ArrayList<>();
    Exploration found =
        explore(
            builtIn("stockproof"),
            ALONE,
            CALM.with(new Choices(Set.of(), Set.of(recovery)), 1),
            new Explorer.Observer() {
              @Override
              public void judged(History history, List<Finding> ofRun) {
                assertThat(history.faulted()).isFalse();
                findings.addAll(ofRun);
              }
            });

    assertThat(found.verdict()).as(found.limits().toString()).isEqualTo(Verdict.PASS);
    assertThat(found.exhaustive()).as(found.limits().toString()).isTrue();
    assertThat(found.interleavings()).isGreaterThan(20);
    assertThat(findings).filteredOn(f -> f.rule() == Rule.R309).hasSizeGreaterThan(20);
    assertThat(findings)
        .filteredOn(f -> f.rule() == Rule.R309 || f.rule() == Rule.R206)
        .as("judged, as nothing went wrong")
        .allSatisfy(f -> assertThat(f.verdict()).isEqualTo(Verdict.PASS));
  }

  @Test
  void whoIsReservedWhenTheGateIsMadeAnewWritesNothingAndMayAskAgain() throws Exception {
    try (Explorer explorer = explorerOf(builtIn("stockproof"))) {
      // A reserves; then the whole rebuild; then A goes on.
      List<Integer> choices = List.of(0, 1);
      Explorer.Played played =
          explorer.play(new Drawn(Recovery.REBUILD.beside(ALONE), List.of(), choices));

      assertThat(played.run().lanes(100)).contains("(rebuild@1)");
      assertThat(played.run().drawing().lanes().get(0).told()).isEqualTo("UNAVAILABLE");
      assertThat(played.run().drawing().lanes().get(1).told()).isEqualTo("done");
      assertThat(played.findings())
          .noneMatch(finding -> finding.verdict() == Verdict.VIOLATED)
          .anyMatch(f -> f.rule() == Rule.R305 && f.verdict() == Verdict.PASS);
      Token read = Token.parse(played.token().text());
      assertThat(read).isEqualTo(played.token());
      assertThat(explorer.replay(read).divergence()).isNull();
    }
  }

  @Test
  void besideSeveralRequestsItGoesInOnePieceUnlessItHasToWait() throws Exception {
    Scenario scenario = Recovery.REBUILD.beside(TWO);
    try (Subject subject = builtIn("stockproof");
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      List<Run> runs = new ArrayList<>();
      everyOrder(stage, scenario, FaultPlan.CALM, runs::add);

      assertThat(runs).allSatisfy(run -> assertThat(run.stall()).isNull());
      assertThat(runs)
          .as("at the beginning, in the middle and at the end")
          .extracting(run -> run.order().indexOf(2))
          .contains(0, 1, 2, 3);
      assertThat(runs).anyMatch(run -> pieces(run) == 1).allMatch(run -> pieces(run) <= 3);
    }
  }

  /** In how many pieces the last actor went. */
  private static int pieces(Run run) {
    int pieces = 0;
    int before = -1;
    for (int actor : run.order()) {
      pieces += actor == 2 && before != 2 ? 1 : 0;
      before = actor;
    }
    return pieces;
  }

  @Test
  void aSubjectThatOffersNoRecoveryIsSearchedWithoutIt() throws Exception {
    Exploration found = explore(builtIn("lua-gate"), ALONE, CALM.with(Choices.parse("rebuild"), 1));

    assertThat(found.interleavings()).isEqualTo(1);
  }

  @Test
  void aGateWithoutTheLastWriteAdmitsTheSecondUserOfOneUnit() throws Exception {
    try (Subject subject = builtIn("lua-gate");
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      // All of A, then B, before whose script the replica takes over.
      FaultPlan plan = new FaultPlan(List.of(strike(1, CommandFault.REDIS_LOSES_LAST_WRITE)));
      Run run = stage.run(TWO, plan, Choosers.following(List.of(0, 0, 0, 0, 0)), null);

      History history = Objects.requireNonNull(run.history());
      assertThat(history.calls(Call.Phase.SALE))
          .extracting(Call::outcome)
          .containsExactly(IssueOutcome.ISSUED, IssueOutcome.SOLD_OUT);
      assertThat(run.steps()).anyMatch(step -> step.actor() == 1 && step.name().equals("UPDATE"));
      StoreState atRest = Objects.requireNonNull(history.atRest());
      assertThat(atRest.rowsByUser()).containsOnlyKeys("100");
      assertThat(atRest.gateUsers()).as("A was never there").isEmpty();
      assertThat(Rules.judge(history, subject.capabilities()))
          .anyMatch(f -> f.rule() == Rule.R203 && f.verdict() == Verdict.VIOLATED);
    }
  }

  @Test
  void theCoreFindsWhatAFailoverLost() throws Exception {
    for (CommandFault loss :
        List.of(CommandFault.REDIS_LOSES_LAST_WRITE, CommandFault.REDIS_LOSES_WRITES)) {
      Exploration found = explore(builtIn("stockproof"), TWO, withFaults(1, loss));

      assertThat(found.verdict()).as(loss + ": " + found.limits()).isEqualTo(Verdict.PASS);
      assertThat(resultOf(Rule.R502, found).verdict()).isEqualTo(Verdict.PASS);
    }
  }

  private static FaultPlan.Strike strike(int command, CommandFault fault) {
    return new FaultPlan.Strike(1, command, fault);
  }
}
