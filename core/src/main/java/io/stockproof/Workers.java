package io.stockproof;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that wait for the database in place of the callers, whose deadlines hold even where a
 * pool or a socket lets its user wait longer. Started when first needed.
 */
final class Workers implements Executor, AutoCloseable {

  private static final long IDLE_SECONDS = 30;

  private final ThreadPoolExecutor ledger;
  private final ScheduledThreadPoolExecutor timer;

  Workers(int threads, int queue) {
    ledger =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(queue),
            named("stockproof-ledger-"));
    ledger.allowCoreThreadTimeOut(true);
    timer = new ScheduledThreadPoolExecutor(1, named("stockproof-timer-"));
    timer.setRemoveOnCancelPolicy(true);
  }

  private static ThreadFactory named(String prefix) {
    AtomicInteger last = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, prefix + last.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public void execute(Runnable work) {
    ledger.execute(work);
  }

  ScheduledFuture<?> after(Duration time, Runnable work) {
    return timer.schedule(work, time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Lets what runs end; interrupts only what waits for a connection beyond every deadline. */
  @Override
  public void close() {
    ledger.shutdown();
    timer.shutdownNow();
    try {
      if (!ledger.awaitTermination(1, TimeUnit.SECONDS)) {
        ledger.shutdownNow();
      }
    } catch (InterruptedException e) {
      ledger.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
