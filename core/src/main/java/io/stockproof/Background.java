package io.stockproof;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** When resolver and recovery do their work: in threads of their own, or only when asked. */
final class Background implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Background.class);

  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Passes in between do not ask the database about a gate that has not changed. */
  private static final int PASSES_TO_A_FULL_ONE = 12;

  private final Parts parts;
  private final Resolver resolver;
  private final Recovery recovery;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;

  Background(Parts parts, Resolver resolver, Recovery recovery) {
    this.parts = parts;
    this.resolver = resolver;
    this.recovery = recovery;
  }

  void startThreads() {
    start("stockproof-resolver", this::resolveForever);
    start("stockproof-recovery", this::recoverForever);
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private void start(String name, Work work) {
    Runnable unbroken =
        () -> {
          while (!closed) {
            try {
              work.run();
            } catch (InterruptedException e) {
              return;
            } catch (RuntimeException e) {
              // A bug; without this thread reservations would be left as they are.
              log.error("event=background-failed thread={}", name, e);
              LockSupport.parkNanos(PAUSE.toNanos());
            }
          }
        };
    Thread thread = new Thread(unbroken, name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  /**
   * Does on the caller's thread what is waiting: confirms, releases, rebuilds.
   *
   * @throws StoreUnavailableException if a store did not answer; what failed is kept
   */
  synchronized void resolveNow() {
    boolean resolved = resolver.resolveAll();
    finished(recovery.rebuildAll() && resolved);
  }

  /**
   * The reconciler's turn, on the caller's thread, for every coupon that this instance was asked
   * for.
   *
   * @throws StoreUnavailableException if a store did not answer; what failed is kept
   */
  synchronized void reconcileNow() {
    resolveNow();
    boolean recovered = recovery.reconcileWatched();
    finished(recovery.rebuildAll() && recovered);
  }

  private static void finished(boolean all) {
    if (!all) {
      throw new StoreUnavailableException("background work is not finished", null);
    }
  }

  private void resolveForever() throws InterruptedException {
    while (!closed || !resolver.idle()) {
      if (!resolver.resolveNext(PAUSE.toMillis())) {
        if (closed) {
          return;
        }
        pause();
      }
    }
  }

  private void recoverForever() throws InterruptedException {
    surveyCoupons();
    long passes = 0;
    long nextNanos = parts.nanoTime();
    while (!closed) {
      if (parts.nanoTime() - nextNanos >= 0) {
        reconcileAll(passes++ % PASSES_TO_A_FULL_ONE == 0);
        nextNanos = parts.nanoTime() + parts.settings().reconcilePeriod().toNanos();
      }
      if (!recovery.rebuildNext(PAUSE.toMillis())) {
        pause();
      }
    }
  }

  private void surveyCoupons() {
    recovery.watchCouponsOfLedger();
    for (long couponId : recovery.watched()) {
      if (closed) {
        return;
      }
      recovery.survey(couponId);
    }
  }

  private void reconcileAll(boolean full) {
    if (full) {
      recovery.watchCouponsOfLedger();
    }
    for (long couponId : recovery.watched()) {
      if (closed) {
        return;
      }
      recovery.reconcileOnce(couponId, full);
    }
  }

  private static void pause() throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
  }

  /** Finishes what is waiting, as far as the stores answer in time, and ends the threads. */
  @Override
  public void close() {
    closed = true;
    try {
      for (Thread thread : threads) {
        thread.join(2 * parts.settings().timeout().toMillis());
        if (thread.isAlive()) {
          thread.interrupt();
        }
      }
    } catch (InterruptedException e) {
      threads.forEach(Thread::interrupt);
      Thread.currentThread().interrupt();
    }
  }
}
