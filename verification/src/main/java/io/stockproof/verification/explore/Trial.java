package io.stockproof.verification.explore;

import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a search tries in every order.
 *
 * @param scenario who asks, and what recovers beside them
 * @param plan the faults
 */
record Trial(Scenario scenario, FaultPlan plan) {

  /** How many of the choices that are counted it holds. */
  int size() {
    return plan.size() + recoveries().size();
  }

  /** A fault more; null if that command has one already. */
  @Nullable Trial and(FaultPlan.Strike strike) {
    FaultPlan more = plan.and(strike);
    return more == null ? null : new Trial(scenario, more);
  }

  /**
   * This, with one recovery more. They come before the faults and in order of declaration, so that
   * no two ways lead to the same.
   */
  List<Trial> withOneRecoveryMore(Set<Recovery> offered) {
    List<Trial> more = new ArrayList<>();
    if (plan.size() > 0) {
      return more;
    }
    Recovery last = recoveries().stream().max(Recovery::compareTo).orElse(null);
    for (Recovery recovery : Recovery.values()) {
      if (offered.contains(recovery) && (last == null || recovery.compareTo(last) >= 0)) {
        more.add(new Trial(recovery.beside(scenario), plan));
      }
    }
    return more;
  }

  private List<Recovery> recoveries() {
    return scenario.requests().stream()
        .filter(Request::recovers)
        .flatMap(
            request ->
                Arrays.stream(Recovery.values()).filter(r -> r.title().equals(request.userId())))
        .toList();
  }
}
