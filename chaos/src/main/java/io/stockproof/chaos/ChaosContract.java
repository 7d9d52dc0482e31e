package io.stockproof.chaos;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.environment.Setting;
import io.stockproof.verification.rules.Finding;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Campaigns as JUnit tests, one a fault. A class of yours extends it, says what is to hold out, and
 * runs on real servers, which are started for it:
 *
 * <pre>{@code
 * class MyIssuerChaosTest extends ChaosContract {
 *   @Override
 *   protected Subject subject() {
 *     return Subject.jdbcAndRedis("my-issuer", endpoints -> new MyIssuer(endpoints.dataSource()));
 *   }
 * }
 * }</pre>
 *
 * <p>Which faults: {@code stockproof.chaos.faults}, names and families separated by commas (also as
 * {@code STOCKPROOF_CHAOS_FAULTS}, or in {@code junit-platform.properties}); all families by
 * default. How long each campaign is: {@code stockproof.chaos.duration}, 12 s by default.
 */
public abstract class ChaosContract {
  private static final Setting FAULTS = new Setting("stockproof.chaos.faults");
  private static final Setting DURATION = new Setting("stockproof.chaos.duration");
  private static final Setting SEED = new Setting("stockproof.seed");
  private static final Duration USUAL_DURATION = Duration.ofSeconds(12);
  private static final long USUAL_SEED = 42;

  /** Makes what is to hold out, as it runs in a service; closed after each campaign. */
  protected abstract Subject subject();

  /** How each campaign is run: the defaults for {@code stockproof.chaos.duration}. */
  protected CampaignSettings settings() {
    return CampaignSettings.defaults().lasting(DURATION.duration().orElse(USUAL_DURATION));
  }

  /**
   * Which faults, each in a campaign of its own.
   *
   * @throws IllegalArgumentException if a name of the setting is none
   */
  protected List<Fault> faults() {
    return FAULTS
        .text()
        .map(names -> Arrays.stream(names.split(",", -1)).map(String::strip))
        .orElseGet(() -> Arrays.stream(FaultFamily.values()).map(FaultFamily::title))
        .flatMap(name -> Faults.named(name).stream())
        .distinct()
        .toList();
  }

  /** A test a fault. */
  @TestFactory
  final Stream<DynamicTest> holds_out() {
    return faults().stream().map(fault -> dynamicTest(fault.title(), () -> run(fault)));
  }

  private void run(Fault fault) throws Exception {
    Environment environment = Environments.shared();
    environment.durable(true);
    try (Subject subject = subject()) {
      CampaignSettings settings = settings();
      Faults.impossible(fault, environment, subject, settings)
          .ifPresent(why -> skip(fault.title() + " " + why));
      FaultPlan plan =
          FaultPlan.inTurn(List.of(fault), settings.duration(), SEED.number().orElse(USUAL_SEED));
      CampaignResult result = Campaign.run(environment, subject, plan, settings, what -> {});
      if (result.verdict().verdict() != Verdict.PASS) {
        Assertions.fail(failure(result));
      }
    }
  }

  /** Test runners rarely print why a test was skipped. */
  private static void skip(String reason) {
    System.out.println("skipped: " + reason);
    Assumptions.abort(reason);
  }

  private static String failure(CampaignResult result) {
    String rules =
        result.verdict().violations().stream()
            .map(ChaosContract::line)
            .collect(Collectors.joining());
    return "%s: %s%s%n  seed %d, %s"
        .formatted(
            result.verdict().verdict(),
            result.verdict().reason(),
            rules,
            result.plan().seed(),
            result.windows());
  }

  private static String line(Finding finding) {
    return "%n  %s %s: %s".formatted(finding.rule().id(), finding.rule().title(), finding.detail());
  }
}
