package io.stockproof.reports.cli;

import io.stockproof.verification.SubjectVerification;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How much is done for a subject unless a budget says otherwise. */
enum Effort {
  QUICK(1, Duration.ofSeconds(3), Duration.ofSeconds(8)),
  STANDARD(3, Duration.ofSeconds(6), Duration.ofSeconds(15)),
  DEEP(20, Duration.ofMinutes(2), Duration.ofMinutes(10));

  private final int rounds;
  private final Duration budget;
  private final Duration search;

  Effort(int rounds, Duration budget, Duration search) {
    this.rounds = rounds;
    this.budget = budget;
    this.search = search;
  }

  /** The same with its time replaced, half for each way of verifying; as it is if there is none. */
  SubjectVerification.Effort within(@Nullable Duration time) {
    return time == null
        ? new SubjectVerification.Effort(rounds, budget, search)
        : new SubjectVerification.Effort(rounds, time.dividedBy(2), time.dividedBy(2));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
