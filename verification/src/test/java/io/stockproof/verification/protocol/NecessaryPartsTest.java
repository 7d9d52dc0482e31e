package io.stockproof.verification.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each part of the protocol is for: without it the model breaks a rule, and says how. */
final class NecessaryPartsTest {

  private static final Scope TWO_USERS = Scope.of(1, 0, 1).faults(1).reconciliations(1).rebuilds(0);

  @Test
  void withoutSentinelsNobodyEverGetsAUnit() {
    breaks(Rule.R202, Scope.of(1, 0, 1).without(Part.SENTINELS));
  }

  @Test
  void withoutTheEpochInTheUpdateAStalledOwnerWrites() {
    breaks(Rule.R504, TWO_USERS.without(Part.EPOCH_IN_UPDATE));
  }

  @Test
  void whereFencedIsTakenForFullAUserIsSentAwayForNothing() {
    breaks(Rule.R303, TWO_USERS.without(Part.FENCED_IS_NOT_FULL));
  }

  @Test
  void withoutTheLockTheLookUpMissesACommitOnItsWay() {
    breaks(Rule.R302, TWO_USERS.without(Part.LOOKUP_BEHIND_LOCK));
  }

  @Test
  void aReconcilerThatOnlyLooksRowsUpLetsAStalledOwnerWrite() {
    breaks(Rule.R504, TWO_USERS.without(Part.RECONCILER_RAISES_EPOCH));
  }

  @Test
  void withoutTheAuditAGateThatIsTooGenerousStaysSo() {
    breaks(Rule.R203, TWO_USERS.without(Part.AUDIT));
  }

  @Test
  void aRebuildThatLeavesTheEpochLetsThoseAdmittedBeforeWrite() {
    breaks(Rule.R504, TWO_USERS.without(Part.REBUILD_RAISES_EPOCH));
  }

  @Test
  void anOpeningThatWritesTheGateItselfWritesOverOneInService() {
    breaks(
        Rule.R602,
        Scope.of(1, 0)
            .faults(1, Fault.ALL_KEYS)
            .rebuilds(0)
            .openings(1)
            .without(Part.OPEN_BY_REBUILD));
  }

  // A rebuild that nobody makes: what the search found, and the remedies.

  private static final Scope REBUILT = Scope.of(1, 0).rebuilds(0);

  @Test
  void aRebuildThatBeginsLateHoldsTheGateUntilItsLeaseEnds() {
    Scope late = REBUILT.faults(1, Fault.COPY);
    breaks(Rule.R203, late.without(Part.BEGIN_UNDER_EPOCH, Part.LEASE_WITHIN_TIMEOUT));
    breaks(Rule.R203, late.without(Part.BEGIN_ONCE, Part.LEASE_WITHIN_TIMEOUT));
    holds(late.without(Part.LEASE_WITHIN_TIMEOUT));
    holds(late);
  }

  @Test
  void aRebuildThatDiedHoldsTheGateForLongerThanRestMayTake() {
    Scope dying = REBUILT.faults(1, Fault.CRASH);
    breaks(Rule.R203, dying.without(Part.LEASE_WITHIN_TIMEOUT));
    holds(dying);
  }

  @Test
  void aRebuildThatBeginsAndEndsLateGivesReservedUnitsToOthers() {
    Scope late = REBUILT.faults(2, Fault.COPY);
    breaks(Rule.R504, late.without(Part.BEGIN_UNDER_EPOCH));
    holds(late);
  }

  // What the audit would mend as well, a reservation timeout later: the same run with the part and
  // without it, and no audit in either.

  @ParameterizedTest
  @EnumSource(
      value = Part.class,
      names = {"STOCK_AS_DIFFERENCE", "CONFIRM_BY_ROW"})
  void aRowWhoseReservationWasLostIsInTheGateOnlyWith(Part part) {
    List<String> run =
        List.of(
            "world replication stops",
            "request A ACQUIRE → ACQUIRED",
            "request A UPDATE → COUNTED",
            "request A INSERT → INSERTED",
            "request A COMMIT → COMMITTED",
            "world the replica takes over",
            "request A CONFIRM");
    Scope scope = Scope.of(1, 0).faults(1, Fault.FAILOVER);
    assertThat(rulesAfter(run, scope.without(Part.AUDIT))).isEmpty();
    assertThat(rulesAfter(run, scope.without(Part.AUDIT, part))).contains(Rule.R203);
  }

  @Test
  void aHolderWhoIsAdmittedAgainStaysInTheGateOnlyIfHeLooksForHisRow() {
    List<String> run =
        List.of(
            "world replication stops",
            "request A ACQUIRE → ACQUIRED",
            "request A UPDATE → COUNTED",
            "request A INSERT → INSERTED",
            "request A COMMIT → COMMITTED",
            "request A CONFIRM",
            "world the replica takes over",
            "request B ACQUIRE → ACQUIRED",
            "request B UPDATE → NOT_COUNTED",
            "request B SELECT coupon and row");
    // The rebuild that "full" asks for dies with the instance.
    Scope twice = Scope.of(1, 0, 0).faults(3, Fault.FAILOVER, Fault.NO_ANSWER, Fault.CRASH);
    List<String> looked = with(run, "request B the instance dies");
    assertThat(rulesAfter(looked, twice.without(Part.AUDIT))).isEmpty();
    List<String> blind =
        with(
            run,
            "request B EXHAUSTED ✗ NO_ANSWER",
            "world arrives: EXHAUSTED",
            "request B the instance dies");
    assertThat(rulesAfter(blind, twice.without(Part.AUDIT, Part.OWN_ROW_FIRST)))
        .contains(Rule.R203);
  }

  private static List<String> with(List<String> run, String... more) {
    List<String> longer = new ArrayList<>(run);
    longer.addAll(List.of(more));
    return longer;
  }

  private static List<Rule> rulesAfter(List<String> run, Scope scope) {
    Walk walk = new Walk(scope);
    run.forEach(walk::then);
    return walk.atRest().stream().map(Broken::rule).toList();
  }

  private static void breaks(Rule rule, Scope scope) {
    ModelSearch.Result result = new ModelSearch(scope).until(rule::equals);
    System.out.println("without " + scope.without() + ":\n" + result.traces().get(rule));
    assertThat(result.traces()).containsKey(rule);
  }

  private static void holds(Scope scope) {
    ModelSearch.Result result = new ModelSearch(scope).until(rule -> true);
    assertThat(result.traces()).as("without " + scope.without()).isEmpty();
    assertThat(result.exhausted()).isTrue();
  }
}
