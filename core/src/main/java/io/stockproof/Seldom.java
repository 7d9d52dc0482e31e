package io.stockproof;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** True once a second at most: for log lines that every request would write. */
final class Seldom {

  private static final long PAUSE_NANOS = 1_000_000_000;

  private final LongSupplier nanoClock;
  private final AtomicLong againNanos;

  Seldom(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.againNanos = new AtomicLong(nanoClock.getAsLong());
  }

  boolean now() {
    long now = nanoClock.getAsLong();
    long again = againNanos.get();
    return now - again >= 0 && againNanos.compareAndSet(again, now + PAUSE_NANOS);
  }
}
