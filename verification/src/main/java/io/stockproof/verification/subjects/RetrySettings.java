package io.stockproof.verification.subjects;

import java.time.Duration;

/**
 * How an optimistic issuer tries again.
 *
 * @param retries attempts after the first, 0 or more; 30 in article 001
 * @param pause longest pause after the first attempt; after the n-th it is n times as long
 * @param seed of the pauses, which are random up to the longest
 */
public record RetrySettings(int retries, Duration pause, long seed) {

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public RetrySettings {
    if (retries < 0) {
      throw new IllegalArgumentException("retries must be 0 or more, was " + retries);
    }
    if (pause.isNegative()) {
      throw new IllegalArgumentException("pause must not be negative, was " + pause);
    }
  }

  /** Article 001: up to 30 retries, pauses up to 5 ms × attempt. */
  public static RetrySettings asPublished() {
    return new RetrySettings(30, Duration.ofMillis(5), 42);
  }

  /** The same with another number of retries. */
  public RetrySettings withRetries(int number) {
    return new RetrySettings(number, pause, seed);
  }
}
