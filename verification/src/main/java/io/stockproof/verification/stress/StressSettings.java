package io.stockproof.verification.stress;

import java.time.Duration;

/**
 * How hard, and how long at most.
 *
 * @param threads callers at the same time
 * @param poolSize database connections of each instance
 * @param callDeadline a call that takes longer hangs (R306)
 * @param runDeadline a run that takes longer is given up and is INCONCLUSIVE
 * @param seed orders the requests
 */
public record StressSettings(
    int threads, int poolSize, Duration callDeadline, Duration runDeadline, long seed) {

  /** 50 threads, as in article 000; a pool of 10; 10 s a call, 60 s a run. */
  public static StressSettings defaults() {
    return new StressSettings(50, 10, Duration.ofSeconds(10), Duration.ofSeconds(60), 42);
  }

  /** The same with requests in another order. */
  public StressSettings withSeed(long newSeed) {
    return new StressSettings(threads, poolSize, callDeadline, runDeadline, newSeed);
  }
}
