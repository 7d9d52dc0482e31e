package io.stockproof.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a plan of faults on a thread of its own, beside the load. A fault that cannot be undone
 * ends it.
 */
final class Striking implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Striking.class);

  /**
   * One fault as it happened; times by {@link System#nanoTime}.
   *
   * @param strike as planned
   * @param beganNanos just before it began
   * @param endedNanos when it was undone
   * @param troubles what the instances saw meanwhile
   * @param failure why it could not be done or undone; null if it could
   */
  record Struck(
      FaultPlan.Strike strike,
      long beganNanos,
      long endedNanos,
      long troubles,
      @Nullable String failure) {}

  private final FaultPlan plan;
  private final Target target;
  private final Consumer<String> progress;
  private final long originNanos = System.nanoTime();
  private final List<Struck> struck = new ArrayList<>();

  Striking(FaultPlan plan, Target target, Consumer<String> progress) {
    this.plan = plan;
    this.target = target;
    this.progress = progress;
  }

  long originNanos() {
    return originNanos;
  }

  /** Read after its thread has ended. */
  List<Struck> struck() {
    return List.copyOf(struck);
  }

  @Override
  public void run() {
    try {
      for (FaultPlan.Strike strike : plan.strikes()) {
        TimeUnit.NANOSECONDS.sleep(originNanos + strike.at().toNanos() - System.nanoTime());
        if (!strike(strike)) {
          return;
        }
      }
    } catch (InterruptedException ended) {
      LOG.debug("faults=interrupted");
    }
  }

  private boolean strike(FaultPlan.Strike strike) throws InterruptedException {
    progress.accept(strike.fault().title());
    long began = System.nanoTime();
    long before = target.meddler().troubles();
    String failure = null;
    try (FaultWindow window =
        FaultWindow.open(() -> strike.fault().begin(target, strike.lasts()))) {
      began = window.openedNanos();
      LOG.info("fault={} state=begun", strike.fault().title());
      // Some faults take a part of their window to begin.
      TimeUnit.NANOSECONDS.sleep(began + strike.lasts().toNanos() - System.nanoTime());
    } catch (InterruptedException ended) {
      throw ended;
    } catch (Exception failed) {
      failure = String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
      failure = failed.getClass().getSimpleName() + ": " + failure;
      LOG.warn("fault={} state=failed", strike.fault().title(), failed);
    }
    long ended = System.nanoTime();
    LOG.info("fault={} state=undone", strike.fault().title());
    long troubles = target.meddler().troubles() - before;
    struck.add(new Struck(strike, began, ended, troubles, failure));
    progress.accept("load");
    return failure == null;
  }
}
