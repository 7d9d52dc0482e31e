package io.stockproof.verification.explore;

import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.explore.FaultPlan.Strike;
import io.stockproof.verification.rules.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes a failing run smaller: fewer requests, fewer faults, fewer commands, fewer switches. Every
 * candidate is run for real, and only one that broke the same rule is taken.
 */
final class Shrinker {

  private static final Duration SMALL_SEARCH = Duration.ofMillis(1500);

  private final Explorer explorer;
  private final SearchSettings settings;

  Shrinker(Explorer explorer, SearchSettings settings) {
    this.explorer = explorer;
    this.settings = settings;
  }

  /**
   * The smallest run found that broke the rule when it was made once more; null if it did not break
   * again.
   */
  @Nullable Run shrink(Run failing, Rule rule, Duration budget) throws Exception {
    long deadline = System.nanoTime() + budget.toNanos();
    Run best = fewerRequests(failing, rule, deadline);
    best = fewerFaults(best, rule, deadline);
    best = oneSwitchAway(best, rule, deadline);
    best = fewerSwitches(best, rule, deadline);
    // What is shown has failed again, with every state read from the stores.
    for (Run candidate : List.of(best, failing)) {
      Run shown = explorer.follow(candidate.scenario(), candidate.plan(), candidate.order());
      if (explorer.breaks(shown, rule)) {
        return shown;
      }
    }
    return null;
  }

  private Run fewerRequests(Run failing, Rule rule, long deadline) throws Exception {
    Run best = failing;
    for (int i = best.scenario().requests().size() - 1;
        i >= 0 && best.scenario().requests().size() > 1;
        i--) {
      if (System.nanoTime() > deadline) {
        return best;
      }
      Scenario fewer = without(best.scenario(), i);
      List<Strike> strikes = new ArrayList<>();
      for (Strike strike : best.plan().strikes()) {
        if (strike.actor() != i) {
          int moved = strike.actor() > i ? strike.actor() - 1 : strike.actor();
          strikes.add(new Strike(moved, strike.command(), strike.fault()));
        }
      }
      Run smaller = explorer.firstViolation(fewer, small(), rule, List.of(new FaultPlan(strikes)));
      best = smaller == null ? best : smaller;
    }
    return best;
  }

  private static Scenario without(Scenario scenario, int request) {
    List<Request> requests = new ArrayList<>(scenario.requests());
    requests.remove(request);
    return scenario.withRequests(requests);
  }

  private Run fewerFaults(Run failing, Rule rule, long deadline) throws Exception {
    Run best = failing;
    for (Strike strike : failing.plan().strikes()) {
      if (System.nanoTime() > deadline) {
        return best;
      }
      Run smaller =
          explorer.firstViolation(
              best.scenario(), small(), rule, List.of(best.plan().without(strike)));
      best = smaller == null ? best : smaller;
    }
    return best;
  }

  /**
   * The simplest orders of all: one request is interrupted once, and the others run in one piece.
   */
  private Run oneSwitchAway(Run failing, Rule rule, long deadline) throws Exception {
    int actors = failing.scenario().requests().size();
    for (int interrupted = 0; interrupted < actors; interrupted++) {
      int own = Collections.frequency(failing.order(), interrupted);
      for (int cut = 0; cut < own; cut++) {
        if (System.nanoTime() > deadline) {
          return failing;
        }
        List<Integer> order = new ArrayList<>(Collections.nCopies(cut, interrupted));
        for (int other = 0; other < actors; other++) {
          if (other != interrupted) {
            order.addAll(Collections.nCopies(Collections.frequency(failing.order(), other), other));
          }
        }
        order.addAll(Collections.nCopies(own - cut, interrupted));
        Run candidate = explorer.follow(failing.scenario(), failing.plan(), order);
        if (explorer.breaks(candidate, rule) && smaller(candidate, failing)) {
          return candidate;
        }
      }
    }
    return failing;
  }

  /** Brings the next step of whoever just went forward, as long as that keeps the rule broken. */
  private Run fewerSwitches(Run failing, Rule rule, long deadline) throws Exception {
    Run best = failing;
    for (int at = 1; at < best.steps().size(); at++) {
      List<Integer> order = best.order();
      int stay = order.get(at - 1);
      int next = order.subList(at, order.size()).indexOf(stay);
      if (next <= 0) {
        continue;
      }
      if (System.nanoTime() > deadline) {
        return best;
      }
      List<Integer> calmer = new ArrayList<>(order);
      calmer.remove(at + next);
      calmer.add(at, stay);
      Run candidate = explorer.follow(best.scenario(), best.plan(), calmer);
      if (explorer.breaks(candidate, rule) && smaller(candidate, best)) {
        best = candidate;
      }
    }
    return best;
  }

  private static boolean smaller(Run candidate, Run best) {
    return candidate.commands() < best.commands()
        || (candidate.commands() == best.commands() && candidate.switches() < best.switches());
  }

  private SearchSettings small() {
    return new SearchSettings(
        SearchSettings.Mode.EXHAUSTIVE, settings.choices(), 0, SMALL_SEARCH, settings.seed(), true);
  }
}
