package io.stockproof.verification.explore;

import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * What jqwik draws and shrinks: scenarios, schedules and faults. Everything shrinks towards one
 * request without a switch and without a fault.
 */
public final class SearchArbitraries {

  private static final int MOST_STEPS = 24;
  private static final int MOST_COMMANDS = 8;

  private SearchArbitraries() {}

  /**
   * Scenarios: who asks how often, for how much, on how many instances.
   *
   * @param requests most requests, 1 or more
   * @param instances most instances, 1 or more
   */
  public static Arbitrary<Scenario> scenarios(int requests, int instances) {
    Arbitrary<List<Integer>> users =
        Arbitraries.integers().between(0, requests - 1).list().ofMinSize(1).ofMaxSize(requests);
    Arbitrary<Integer> total = Arbitraries.integers().between(1, Math.max(1, requests - 1));
    Arbitrary<Integer> on = Arbitraries.integers().between(1, instances);
    return Combinators.combine(users, total, on).as(SearchArbitraries::scenario);
  }

  private static Scenario scenario(List<Integer> users, int total, int instances) {
    List<Request> requests = new ArrayList<>();
    for (int user : users) {
      requests.add(
          new Request(Integer.toString(Scenario.FIRST_USER + user), requests.size() % instances));
    }
    return new Scenario(1, total, instances, requests);
  }

  /**
   * Runs: a scenario, the order of its commands, and faults.
   *
   * @param scenarios what is asked
   * @param faults which faults may happen
   * @param most faults in one run, 0 or more
   */
  public static Arbitrary<Drawn> runs(
      Arbitrary<Scenario> scenarios, Set<CommandFault> faults, int most) {
    Arbitrary<List<Integer>> choices =
        Arbitraries.integers().between(0, 3).list().ofMaxSize(MOST_STEPS);
    return Combinators.combine(scenarios, faults(faults, most), choices).as(Drawn::new);
  }

  private static Arbitrary<List<Token.Fault>> faults(Set<CommandFault> faults, int most) {
    if (faults.isEmpty() || most == 0) {
      return Arbitraries.just(List.of());
    }
    return Combinators.combine(
            Arbitraries.integers().between(0, 2),
            Arbitraries.integers().between(0, MOST_COMMANDS - 1),
            Arbitraries.of(faults.stream().sorted().toList()))
        .as(Token.Fault::new)
        .list()
        .ofMaxSize(most)
        .uniqueElements(f -> f.actor() * MOST_COMMANDS + f.command());
  }
}
