package io.stockproof.verification.subjects;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Tries once, and then again and again as long as its settings say. */
record Patience(LockSettings settings) {
  private static final long PAUSE_MILLIS = 2;

  boolean until(BooleanSupplier attempt) throws InterruptedException {
    long begun = System.nanoTime();
    while (!attempt.getAsBoolean()) {
      if (System.nanoTime() - begun >= settings.patience().toNanos()) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
    return true;
  }
}
