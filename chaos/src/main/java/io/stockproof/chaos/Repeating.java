package io.stockproof.chaos;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something again and again until it is undone, on a thread of its own. */
final class Repeating implements Fault.Undo {
  private static final Logger LOG = LoggerFactory.getLogger(Repeating.class);
  private static final Duration LAST_TURN = Duration.ofSeconds(10);

  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread;

  /** One turn; what it throws is logged, and the next turn comes. */
  @FunctionalInterface
  interface Turn {
    void take() throws Exception;
  }

  private Repeating(Duration pause, Turn turn) {
    thread = new Thread(() -> repeat(pause, turn), "stockproof-chaos-repeating");
    thread.setDaemon(true);
  }

  /** Takes the first turn at once, in the caller's thread. */
  static Repeating every(Duration pause, Turn turn) throws Exception {
    turn.take();
    Repeating repeating = new Repeating(pause, turn);
    repeating.thread.start();
    return repeating;
  }

  private void repeat(Duration pause, Turn turn) {
    try {
      while (!stop.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          turn.take();
        } catch (InterruptedException ended) {
          throw ended;
        } catch (Exception failed) {
          LOG.debug("turn=failed", failed);
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void undo() throws InterruptedException {
    stop.countDown();
    thread.join(LAST_TURN.toMillis());
    if (thread.isAlive()) {
      throw new IllegalStateException("a fault goes on after " + LAST_TURN.toSeconds() + " s");
    }
  }
}
