package io.stockproof.verification.rules;

import io.stockproof.verification.history.History;
import java.util.Locale;

/** Prints how long it takes to judge histories by every rule; run it by hand. */
final class JudgingCost {
  private static final int ROUNDS = 5;

  private JudgingCost() {}

  public static void main(String[] args) {
    for (int requests : new int[] {1_000, 10_000, 100_000, 1_000_000}) {
      History history = LargeHistory.of(requests);
      long least = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS; round++) {
        long begun = System.nanoTime();
        ScalingTest.judge(history);
        least = Math.min(least, System.nanoTime() - begun);
      }
      System.out.printf(
          Locale.ROOT,
          "%,9d requests: %8.1f ms, %5.2f µs a request%n",
          requests,
          least / 1e6,
          least / 1e3 / requests);
    }
  }
}
