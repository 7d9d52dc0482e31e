package io.stockproof.ledger;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The moment at which an owner must have ended, on a monotonic clock.
 *
 * @param clock nanoseconds, as {@link System#nanoTime}
 * @param endNanos the moment on that clock
 */
public record Deadline(LongSupplier clock, long endNanos) {

  /** So long from now. */
  public static Deadline in(Duration time, LongSupplier clock) {
    return new Deadline(clock, clock.getAsLong() + time.toNanos());
  }

  /** What is left; zero or less once it has passed. */
  public long remainingNanos() {
    return endNanos - clock.getAsLong();
  }

  /** What is left in whole milliseconds, at least 1: to a socket 0 means without end. */
  int remainingMillis() {
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, remainingNanos() / 1_000_000));
  }

  /** Whether nothing may be started any more. */
  public boolean passed() {
    return remainingNanos() <= 0;
  }
}
