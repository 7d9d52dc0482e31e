package io.stockproof.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.environment.Setting;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.subjects.Subjects;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * The core in four JVMs under one fault after another, whichever the seed says: for {@code
 * stockproof.soak}, which profile {@code chaos-soak} sets to 30 minutes and {@code chaos} to one.
 */
final class StockproofSoakTest {
  private static final Setting LASTS = new Setting("stockproof.soak");
  private static final Setting SEED = new Setting("stockproof.seed");
  private static final int JVMS = 4;
  private static final int CALLS_PER_SECOND = 40;

  /** Each with a coupon of its own: whoever has one is read again with each look at the books. */
  private static final Duration ROUND = Duration.ofMinutes(3);

  private static final Duration SHORTEST = Duration.ofSeconds(10);

  @Test
  void nothing_is_lost_whatever_breaks() throws Exception {
    Duration lasts = LASTS.duration().orElse(null);
    if (lasts == null) {
      String reason = "no soak: stockproof.soak is not set, for example to 1m";
      System.out.println("skipped: " + reason);
      Assumptions.abort(reason);
      return;
    }
    long seed = SEED.number().orElse(42L);
    Environment environment = Environments.shared();
    environment.durable(true);
    for (Duration left = lasts; left.compareTo(SHORTEST) >= 0; left = left.minus(ROUND)) {
      round(environment, left.compareTo(ROUND) < 0 ? left : ROUND, seed++);
    }
  }

  /** One coupon, sold under faults. */
  private static void round(Environment environment, Duration lasts, long seed) throws Exception {
    CampaignSettings settings =
        CampaignSettings.defaults()
            .lasting(lasts)
            .loadedWith(CALLS_PER_SECOND, JVMS)
            .resumingWithin(Duration.ofSeconds(10))
            .inOwnJvms();
    try (Subject core = Subjects.inService("stockproof").orElseThrow().get()) {
      List<Fault> faults =
          Faults.all().stream()
              .filter(fault -> Faults.impossible(fault, environment, core, settings).isEmpty())
              .toList();
      FaultPlan plan = FaultPlan.random(faults, lasts, seed);

      CampaignResult result = Campaign.run(environment, core, plan, settings, what -> {});

      System.out.printf(
          "soak: seed %d, %d of %d faults, %s%n",
          seed, result.windows().size(), plan.strikes().size(), result.verdict().verdict());
      assertThat(result.verdict().violations())
          .as("seed %d, %s", seed, result.windows())
          .extracting(Finding::rule)
          .isEmpty();
      assertThat(result.windows()).as("faults").isNotEmpty();
      assertThat(result.windows()).as("units given in the windows").anyMatch(w -> w.issued() > 0);
    }
  }
}
