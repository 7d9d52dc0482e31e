package io.stockproof.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.subjects.Subjects;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Short campaigns that must come out one way on any machine: how soon issuing resumes is measured,
 * and may be late here.
 */
final class CampaignTest {
  private static final CampaignSettings SETTINGS =
      CampaignSettings.defaults()
          .lasting(Duration.ofSeconds(8))
          .loadedWith(50, 2)
          .resumingWithin(Duration.ofSeconds(10));

  private static Environment environment;

  @BeforeAll
  static void open() {
    environment = Environments.shared();
    environment.durable(true);
  }

  private static CampaignResult run(String subject, Fault... faults) throws Exception {
    try (Subject made = Subjects.inService(subject).orElseThrow().get()) {
      FaultPlan plan = FaultPlan.inTurn(List.of(faults), SETTINGS.duration(), 42);
      return Campaign.run(environment, made, plan, SETTINGS, what -> {});
    }
  }

  private static List<Rule> broken(CampaignResult result) {
    return result.verdict().violations().stream().map(Finding::rule).toList();
  }

  @Test
  void the_core_goes_on_issuing_while_redis_stands_still() throws Exception {
    CampaignResult result = run("stockproof", RedisFault.CLIENT_PAUSE);

    assertThat(broken(result)).as("%s", result).isEmpty();
    assertThat(result.windows())
        .singleElement()
        .satisfies(
            window -> {
              assertThat(window.issued()).isPositive();
              assertThat(window.unavailable() + window.waited()).isPositive();
              assertThat(window.hung()).isZero();
            });
    assertThat(result.verdict().verdict()).as("%s", result).isEqualTo(Verdict.PASS);
  }

  @Test
  void the_published_gate_calls_a_lost_stock_sold_out() throws Exception {
    CampaignResult result = run("lua-gate", RedisFault.FLUSHALL);

    assertThat(result.verdict().verdict()).isEqualTo(Verdict.VIOLATED);
    assertThat(broken(result)).contains(Rule.R303, Rule.R502);
  }
}
