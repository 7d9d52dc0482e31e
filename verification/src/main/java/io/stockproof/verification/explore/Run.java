package io.stockproof.verification.explore;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.history.History;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run that was steered to its end.
 *
 * @param scenario what was asked
 * @param plan the faults
 * @param steps every decision in order
 * @param history what the rules judge; null if the run stalled
 * @param stall who waited for what, if nobody could go on; null otherwise
 * @param doubt what a reader must know of it; null if nothing
 */
record Run(
    Scenario scenario,
    FaultPlan plan,
    List<Step> steps,
    @Nullable History history,
    @Nullable String stall,
    @Nullable String doubt) {

  Run {
    steps = List.copyOf(steps);
  }

  List<Chooser.Done> trace() {
    return steps.stream()
        .map(s -> new Chooser.Done(s.actor(), s.footprint(), s.enabledBy()))
        .toList();
  }

  /**
   * The steps in the order in which they took effect: what waited for a lock did so when it got it.
   */
  List<Chooser.Done> effects() {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      places.add(i);
    }
    places.sort(
        Comparator.comparingInt((Integer i) -> Math.max(i + 1, steps.get(i).settledAfter()))
            .thenComparing(Comparator.reverseOrder()));
    return places.stream()
        .map(
            i -> {
              Step step = steps.get(i);
              return new Chooser.Done(
                  step.actor(), step.footprint(), places.indexOf(step.enabledBy()));
            })
        .toList();
  }

  /** The faults of the plan that struck. */
  FaultPlan struck() {
    List<FaultPlan.Strike> struck = new ArrayList<>();
    for (Step step : steps) {
      if (step.fault() != null) {
        struck.add(new FaultPlan.Strike(step.actor(), step.ordinal(), step.fault()));
      }
    }
    return new FaultPlan(struck);
  }

  /** The actors in the order in which they went. */
  List<Integer> order() {
    return steps.stream().map(Step::actor).toList();
  }

  /** How often another actor went on than the one before. */
  int switches() {
    int switches = 0;
    for (int i = 1; i < steps.size(); i++) {
      switches += steps.get(i).actor() == steps.get(i - 1).actor() ? 0 : 1;
    }
    return switches;
  }

  /** Commands that were decided about. */
  int commands() {
    return (int) steps.stream().filter(s -> s.words() != null).count();
  }
}
