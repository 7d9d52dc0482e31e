package io.stockproof.verification;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How much is done for a subject unless a budget says otherwise. */
public enum EffortLevel {
  /** About 11 s. */
  QUICK(1, Duration.ofSeconds(3), Duration.ofSeconds(8), 25),
  /** About 18 s. */
  STANDARD(3, Duration.ofSeconds(3), Duration.ofSeconds(15), 100),
  /** About 12 minutes. */
  DEEP(20, Duration.ofMinutes(2), Duration.ofMinutes(10), 2_000);

  private final int rounds;
  private final Duration budget;
  private final Duration search;
  private final int drawnRuns;

  EffortLevel(int rounds, Duration budget, Duration search, int drawnRuns) {
    this.rounds = rounds;
    this.budget = budget;
    this.search = search;
    this.drawnRuns = drawnRuns;
  }

  /**
   * The effort of a verification.
   *
   * @param time replaces the level's time, half for each way of verifying; null leaves it
   */
  public SubjectVerification.Effort within(@Nullable Duration time) {
    return time == null
        ? new SubjectVerification.Effort(rounds, budget, search)
        : new SubjectVerification.Effort(rounds, time.dividedBy(2), time.dividedBy(2));
  }

  /** Runs that jqwik draws for a property. */
  int drawnRuns() {
    return drawnRuns;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
