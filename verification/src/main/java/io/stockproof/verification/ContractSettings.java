package io.stockproof.verification;

import io.stockproof.verification.environment.Setting;
import java.time.Duration;
import java.util.Optional;

/**
 * How much an {@link IssuanceContract} does. Where the servers come from is said by {@link
 * io.stockproof.verification.environment.EnvironmentOptions#fromSettings()}.
 *
 * @param effort {@code stockproof.effort}: quick, standard (the default) or deep
 * @param budget {@code stockproof.budget}: time of the subject, such as 30s, half for the search
 *     and half for stress; by effort if it is not given
 * @param seed {@code stockproof.seed}: orders the requests and draws the runs; 42 by default
 * @param replay {@code stockproof.replay}: a token to replay instead of verifying anything
 */
record ContractSettings(
    EffortLevel effort, Optional<Duration> budget, long seed, Optional<String> replay) {

  private static final long DEFAULT_SEED = 42;

  /**
   * What is set.
   *
   * @throws IllegalArgumentException naming the property, the value and what is allowed
   */
  static ContractSettings read() {
    return new ContractSettings(
        new Setting("stockproof.effort").choice(EffortLevel.class).orElse(EffortLevel.STANDARD),
        new Setting("stockproof.budget").duration(),
        new Setting("stockproof.seed").number().orElse(DEFAULT_SEED),
        new Setting("stockproof.replay").text());
  }

  SubjectVerification.Effort forVerification() {
    return effort.within(budget.orElse(null));
  }

  /** Time for the runs that jqwik draws: a quarter of what the search gets. */
  Duration forDrawnRuns() {
    return forVerification().searchBudget().dividedBy(4);
  }
}
