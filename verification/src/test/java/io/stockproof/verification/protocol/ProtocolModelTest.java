package io.stockproof.verification.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every state of the protocol in small scopes, under every fault: all rules hold. */
final class ProtocolModelTest {

  private static final int A_MILLION = 1_000_000;

  private static final Fault[] WITHOUT_FAILOVER =
      EnumSet.complementOf(EnumSet.of(Fault.FAILOVER)).toArray(Fault[]::new);

  private static Map<String, Scope> scopes() {
    Map<String, Scope> scopes = new LinkedHashMap<>();
    scopes.put("two users, no fault", Scope.of(1, 0, 1));
    scopes.put(
        "two users for one unit, any fault, a reconciler and a rebuild",
        Scope.of(1, 0, 1).faults(1).reconciliations(1).rebuilds(0));
    scopes.put(
        "one user twice for one unit, likewise",
        Scope.of(1, 0, 0).faults(1).reconciliations(1).rebuilds(0));
    scopes.put(
        "one user twice for two units, likewise",
        Scope.of(2, 0, 0).faults(1).reconciliations(1).rebuilds(0));
    scopes.put(
        "two users, every pair of faults, a reconciler",
        Scope.of(1, 0, 1).faults(2).reconciliations(1));
    scopes.put(
        "one user, every pair of faults, rebuilds of two instances",
        Scope.of(1, 0).faults(2, WITHOUT_FAILOVER).rebuilds(0, 1));
    scopes.put(
        "one user, every pair of faults, two rebuilds of one instance",
        Scope.of(1, 0).faults(2, WITHOUT_FAILOVER).rebuilds(0, 0));
    return scopes;
  }

  @Test
  void everyRuleHoldsInEveryStateUnderEveryFault() {
    long states = 0;
    double seconds = 0;
    for (Map.Entry<String, Scope> scope : scopes().entrySet()) {
      ModelSearch.Result result = new ModelSearch(scope.getValue()).until(rule -> true);
      System.out.printf(
          "model: %,9d states, %,6d at rest, %5.1f s: %s%n",
          result.states(), result.quiescent(), result.seconds(), scope.getKey());
      assertThat(result.traces()).as(scope.getKey()).isEmpty();
      assertThat(result.quiescent()).as(scope.getKey()).isPositive();
      assertThat(result.exhausted()).as(scope.getKey()).isTrue();
      states += result.states();
      seconds += result.seconds();
    }
    System.out.printf("model: %,9d states in %.1f s%n", states, seconds);
    assertThat(states).isGreaterThan(A_MILLION);
  }
}
