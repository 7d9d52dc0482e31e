package io.stockproof.chaos;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the connections of a pool as they become free, and keeps them. */
final class PoolHog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PoolHog.class);
  private static final long LAST_TURN_MILLIS = 5_000;

  private final List<Thread> threads = new ArrayList<>();
  private boolean over;

  private PoolHog() {}

  static PoolHog of(DataSource pool, int size) {
    PoolHog hog = new PoolHog();
    for (int i = 0; i < size; i++) {
      Thread thread = new Thread(() -> hog.hold(pool), "stockproof-chaos-pool");
      thread.setDaemon(true);
      hog.threads.add(thread);
      thread.start();
    }
    return hog;
  }

  private void hold(DataSource pool) {
    try (Connection taken = pool.getConnection()) {
      LOG.trace("taken={}", taken);
      awaitEnd();
    } catch (SQLException none) {
      LOG.debug("connection=none", none);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void awaitEnd() throws InterruptedException {
    while (!over) {
      wait();
    }
  }

  @Override
  public void close() throws InterruptedException {
    synchronized (this) {
      over = true;
      notifyAll();
    }
    for (Thread thread : threads) {
      thread.join(LAST_TURN_MILLIS);
    }
  }
}
