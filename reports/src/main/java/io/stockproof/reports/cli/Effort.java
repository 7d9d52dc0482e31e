package io.stockproof.reports.cli;

import java.time.Duration;
import java.util.Locale;

/** How much is done for a subject unless a budget says otherwise. */
enum Effort {
  QUICK(1, Duration.ofSeconds(5)),
  STANDARD(3, Duration.ofSeconds(6)),
  DEEP(20, Duration.ofMinutes(2));

  private final int rounds;
  private final Duration budget;

  Effort(int rounds, Duration budget) {
    this.rounds = rounds;
    this.budget = budget;
  }

  int rounds() {
    return rounds;
  }

  /** No further round of a subject is begun after this time. */
  Duration budget() {
    return budget;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
