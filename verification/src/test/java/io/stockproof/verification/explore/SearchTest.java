package io.stockproof.verification.explore;

import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.subjects.Subjects;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SearchTest {

  @Test
  void scratch() throws Exception {
    Environment environment = Environments.shared();
    environment.durable(false);
    SearchSettings calm = SearchSettings.calm(Duration.ofSeconds(30));
    Scenario same =
        new Scenario(
            1, 2, 3, List.of(new Request("100", 0), new Request("100", 1), new Request("101", 2)));
    run(environment, "stockproof", Scenario.users(1, 2, 1, 2), calm);
    run(environment, "stockproof", Scenario.users(1, 3, 1, 3), calm);
    run(environment, "stockproof", same, calm);
    run(
        environment,
        "stockproof",
        new Scenario(
            1, 2, 1, List.of(new Request("100", 0), new Request("100", 0), new Request("101", 0))),
        calm);
    run(
        environment,
        "stockproof",
        Scenario.users(1, 2, 1, 2),
        calm.withFaults(CommandFault.parse("all"), 1));
    run(
        environment,
        "lua-gate",
        Scenario.users(1, 2, 1, 2),
        new SearchSettings(
            SearchSettings.Mode.RANDOM, Set.of(), 0, Duration.ofSeconds(6), 1, true));
  }

  private static void run(
      Environment environment, String name, Scenario scenario, SearchSettings settings)
      throws Exception {
    try (Subject subject = Subjects.named(name).orElseThrow().make().get();
        Explorer explorer = new Explorer(environment, subject)) {
      show(explorer.explore(scenario, settings, Explorer.Observer.NONE));
    }
  }

  private static void show(Exploration e) {
    System.out.printf(
        "=== %s %s runs %d classes %d exh %s %s %.1f s %.0f/s goals %s%n",
        e.subject(),
        e.scenario(),
        e.interleavings(),
        e.classes(),
        e.exhaustive(),
        e.limits(),
        e.seconds(),
        e.interleavingsPerSecond(),
        e.goals());
    for (var r : e.rules()) {
      System.out.println(r.rule().id() + " " + r.verdict() + " " + r.detail());
      if (r.witness() != null) {
        System.out.println(r.witness().token().text() + " at " + r.witness().foundAtRun());
        System.out.println(r.witness().run().lanes(100));
      }
    }
  }
}
