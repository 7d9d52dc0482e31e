package io.stockproof.verification.stress;

import io.stockproof.verification.Subject;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits no longer than it may for what a subject does. */
public final class Bounded {
  private static final Logger LOG = LoggerFactory.getLogger(Bounded.class);

  private Bounded() {}

  /**
   * Does the work on a thread of its own.
   *
   * @param what a word for logs and the thread's name
   * @return what it returned; false if it failed, or did not end in time and was interrupted
   * @throws InterruptedException if the caller's thread is interrupted
   */
  public static boolean within(Duration time, String what, Callable<Boolean> work)
      throws InterruptedException {
    FutureTask<Boolean> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "stockproof-stress-" + what);
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException notDone) {
      LOG.debug("{}=failed", what, notDone);
      task.cancel(true);
      return false;
    }
  }

  /**
   * Closes instances, each in this time at most.
   *
   * @throws InterruptedException if the caller's thread is interrupted
   */
  public static void close(List<Subject.Instance> instances, Duration time)
      throws InterruptedException {
    for (Subject.Instance instance : instances) {
      within(
          time,
          "close",
          () -> {
            instance.close();
            return true;
          });
    }
  }
}
