package io.stockproof.verification.subjects;

import java.time.Duration;

/**
 * How the subjects with a lock in Redis hold it and wait for it.
 *
 * @param lease after which the lock goes to whoever asks: of {@code setnx-lock} for good, of {@code
 *     redisson-lock} unless its watchdog renews it, which it does each third of this; 1 ms or more
 * @param patience how long a caller waits for the lock before it is told UNAVAILABLE; zero to fail
 *     fast
 */
public record LockSettings(Duration lease, Duration patience) {

  /**
   * Checks the durations.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public LockSettings {
    if (lease.toMillis() < 1) {
      throw new IllegalArgumentException("lease must be 1 ms or more, was " + lease);
    }
    if (patience.isNegative()) {
      throw new IllegalArgumentException("patience must not be negative, was " + patience);
    }
  }

  /** Article 004 v4 and v5: fail fast. */
  public static LockSettings failFast(Duration lease) {
    return new LockSettings(lease, Duration.ZERO);
  }

  /** Article 004 §5: the same bounded wait for every subject, so that only the lock differs. */
  public LockSettings waiting(Duration atMost) {
    return new LockSettings(lease, atMost);
  }
}
