package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults as choices of the search, struck at real commands. */
final class FaultSearchTest extends SearchesRealServers {

  // Commands of one request on lua-gate.
  private static final int SELECT = 0;
  private static final int GATE = 1;
  private static final int INSERT = 3;
  private static final int COMMIT = 4;

  private static final Scenario ALONE = requests("A", 2, 1);

  @Test
  void G17_aDeathBetweenTheTwoHalvesOfACompensationLeaksAUnit() throws Exception {
    Explorer.Played played =
        play("lua-gate", strike(INSERT, CommandFault.ERROR_1213), strike(5, CommandFault.CRASH));

    assertThat(played.token().steps())
        .extracting(Token.At::name)
        .containsExactly("SELECT", "EVALSHA", "UPDATE", "INSERT", "SREM", "INCR");
    assertThat(played.run().faults()).isEqualTo(2);
    assertThat(broken(played.findings())).contains(Rule.R202);
  }

  @Test
  void G17_aSearchWithTwoFaultsReachesTheCompensationAndFindsTheLeak() throws Exception {
    Exploration found =
        explore(
            builtIn("lua-gate"), ALONE, withFaults(2, CommandFault.ERROR_1213, CommandFault.CRASH));

    assertThat(resultOf(Rule.R202, found).verdict()).isEqualTo(Verdict.VIOLATED);
    assertThat(found.goals().get("compensation")).isPositive();
    assertThat(found.goals().get("crash")).isPositive();
    assertThat(found.exhaustive()).as(found.limits().toString()).isTrue();
  }

  @Test
  void L11_aLostCommitIsNotCompensatedAndBreaksTheBooksOfTheGate() throws Exception {
    Explorer.Played played = play("lua-gate", strike(COMMIT, CommandFault.LOST_BEFORE));

    assertThat(broken(played.findings())).contains(Rule.R203);
    assertThat(played.run().lanes(100)).contains("✗ lost-before: COMMIT");
  }

  @Test
  void aSearchWithOneFaultFindsTheLostCommitAndClaimsEveryPlan() throws Exception {
    Exploration found =
        explore(
            builtIn("lua-gate"), ALONE, withFaults(1, CommandFault.LOST_BEFORE, CommandFault.LATE));

    assertThat(resultOf(Rule.R203, found).verdict()).isEqualTo(Verdict.VIOLATED);
    assertThat(found.goals().get("fault")).isPositive();
    assertThat(found.exhaustive()).as(found.limits().toString()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"lua-gate", "stockproof"})
  void eachFaultAtEachCommandOfARequestLeavesARunThatEnds(String name) throws Exception {
    try (Subject subject = builtIn(name);
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      Run calm = stage.run(ALONE, FaultPlan.CALM, goingOn(), null);
      Product product = ENVIRONMENT.database().product();
      int runs = 0;
      for (Step step : calm.steps()) {
        for (CommandFault fault : CommandFault.values()) {
          if (fault.appliesTo(Objects.requireNonNull(step.words()), product)) {
            Run run = stage.run(ALONE, plan(fault, step.ordinal()), goingOn(), null);
            String what = fault.title() + " at " + step.ordinal() + " " + step.name();
            runs++;

            assertThat(run.stall()).as(what).isNull();
            assertThat(run.steps().get(step.ordinal()).fault()).as(what).isEqualTo(fault);
            History history = Objects.requireNonNull(run.history());
            assertThat(history.faulted()).as(what).isTrue();
            assertThat(history.atRest()).as(what + " comes to rest").isNotNull();
            if (name.equals("stockproof")) {
              assertThat(broken(Rules.judge(history, subject.capabilities()))).as(what).isEmpty();
            }
          }
        }
      }
      assertThat(runs).isGreaterThan(25);
    }
  }

  @Test
  void aCrashCutsTheCallOffAndTheNextRunHasANewInstance() throws Exception {
    try (Subject subject = builtIn("lua-gate");
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      Run crashed = stage.run(ALONE, plan(CommandFault.CRASH, 2), goingOn(), null);
      Run next = stage.run(ALONE, FaultPlan.CALM, goingOn(), null);

      Call call = sale(crashed).get(0);
      assertThat(call.cutOff()).isTrue();
      assertThat(call.outcome()).isNull();
      assertThat(call.error()).isNull();
      assertThat(crashed.commands()).as("nothing is sent after the death").isEqualTo(3);
      assertThat(sale(next)).extracting(Call::outcome).containsExactly(IssueOutcome.ISSUED);
      assertThat(connections(next)).doesNotContainAnyElementsOf(connections(crashed));
    }
  }

  @Test
  void aCrashOfOneInstanceLeavesTheOtherAlone() throws Exception {
    try (Subject subject = builtIn("lua-gate");
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      Run run = stage.run(requests("A,B", 2, 2), plan(CommandFault.CRASH, INSERT), goingOn(), null);

      assertThat(sale(run)).extracting(Call::cutOff).containsExactly(true, false);
      assertThat(sale(run).get(1).outcome()).isEqualTo(IssueOutcome.ISSUED);
      assertThat(rest(run).rowsByUser()).containsOnlyKeys("101");
      assertThat(rest(run).counter()).as("the dead one's UPDATE is undone").isEqualTo(1);
    }
  }

  @Test
  void D33_aLateCommitReachesTheServerAfterItsClientGaveUp() throws Exception {
    try (Subject subject = builtIn("lua-gate");
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      List<Run> runs = new ArrayList<>();
      everyOrder(stage, ALONE, plan(CommandFault.LATE, COMMIT), runs::add);

      assertThat(runs)
          .allSatisfy(
              run -> {
                Step delivery = run.steps().get(run.steps().size() - 1);
                assertThat(delivery.actor()).as("nobody's any more").isEqualTo(1);
                assertThat(delivery.name()).isEqualTo("COMMIT");
                assertThat(run.steps().get(COMMIT).fault()).isEqualTo(CommandFault.LATE);
                assertThat(Objects.requireNonNull(run.steps().get(COMMIT).books()).rows()).isZero();
                assertThat(rest(run).rowsByUser()).containsOnlyKeys("100");
                Call call = sale(run).get(0);
                assertThat(call.outcome()).isNull();
                assertThat(call.error()).isNotNull();
                assertThat(call.end()).isLessThan(run.steps().size());
              });
    }
  }

  @Test
  void aLateGateIsDeliveredAtAnyMomentOfTheOther() throws Exception {
    try (Subject subject = builtIn("lua-gate");
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      List<Run> runs = new ArrayList<>();
      everyOrder(stage, requests("A,B", 1, 2), plan(CommandFault.LATE, GATE), runs::add);

      assertThat(runs)
          .extracting(run -> sale(run).get(1).outcome())
          .contains(IssueOutcome.ISSUED, IssueOutcome.SOLD_OUT);
    }
  }

  @Test
  void G06_G13_expiredKeysAreGoneWhenTheCommandArrives() throws Exception {
    try (Subject subject = builtIn("lua-gate");
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      Run all = stage.run(ALONE, plan(CommandFault.KEY_EXPIRY, GATE), goingOn(), null);
      Run stock = stage.run(ALONE, plan(CommandFault.FIRST_KEY_EXPIRY, GATE), goingOn(), null);
      Run users = stage.run(ALONE, plan(CommandFault.LAST_KEY_EXPIRY, GATE), goingOn(), null);

      for (Run run : List.of(all, stock)) {
        assertThat(rest(run).gateStock()).isEqualTo(StoreState.MISSING);
        assertThat(sale(run)).extracting(Call::outcome).containsExactly(IssueOutcome.SOLD_OUT);
        assertThat(broken(judge(run, subject))).contains(Rule.R303);
      }
      assertThat(sale(users)).extracting(Call::outcome).containsExactly(IssueOutcome.ISSUED);
    }
  }

  @Test
  void aFaultIsOnlyStruckWhereItCanHappen() throws Exception {
    try (Subject subject = builtIn("lua-gate");
        Stage stage = new Stage(ENVIRONMENT, subject)) {
      Run run = stage.run(ALONE, plan(CommandFault.ERROR_OOM, SELECT), goingOn(), null);

      assertThat(Objects.requireNonNull(run.history()).faulted()).isFalse();
      assertThat(run.steps()).allSatisfy(step -> assertThat(step.fault()).isNull());
    }
  }

  private static Chooser goingOn() {
    return Choosers.following(List.of());
  }

  private static FaultPlan plan(CommandFault fault, int command) {
    return plan(new FaultPlan.Strike(0, command, fault));
  }

  private static FaultPlan plan(FaultPlan.Strike... strikes) {
    return new FaultPlan(List.of(strikes));
  }

  private static Token.Fault strike(int command, CommandFault fault) {
    return new Token.Fault(0, command, fault);
  }

  private static Explorer.Played play(String name, Token.Fault... faults) throws Exception {
    try (Subject subject = builtIn(name);
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      return explorer.play(new Drawn(ALONE, List.of(faults), List.of()));
    }
  }

  private static List<Call> sale(Run run) {
    return Objects.requireNonNull(run.history()).calls(Call.Phase.SALE);
  }

  private static StoreState rest(Run run) {
    return Objects.requireNonNull(Objects.requireNonNull(run.history()).atRest());
  }

  private static List<Integer> connections(Run run) {
    return run.steps().stream()
        .map(step -> Objects.requireNonNull(step.words()).connection())
        .toList();
  }

  private static List<Finding> judge(Run run, Subject subject) {
    return Rules.judge(Objects.requireNonNull(run.history()), subject.capabilities());
  }

  private static List<Rule> broken(List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.verdict() == Verdict.VIOLATED)
        .map(Finding::rule)
        .toList();
  }
}
