package io.stockproof.chaos;

import io.stockproof.verification.Capability;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.stress.Bounded;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits until a subject has done what its calls left to be done. Used by one thread. */
final class Rest {
  private static final Logger LOG = LoggerFactory.getLogger(Rest.class);
  private static final long PAUSE_MILLIS = 100;

  private final Environment environment;
  private final Subject subject;
  private final List<Subject.Instance> instances;
  private final long couponId;
  private final Duration within;

  Rest(
      Environment environment,
      Subject subject,
      List<Subject.Instance> instances,
      long couponId,
      Duration within) {
    this.environment = environment;
    this.subject = subject;
    this.instances = instances;
    this.couponId = couponId;
    this.within = within;
  }

  /**
   * How it ended.
   *
   * @param state the last that was seen; null if a store did not answer to the end
   * @param balanced whether the books agreed in it
   * @param nanos when it was seen, by {@link System#nanoTime}
   * @param waited since it was asked for
   */
  record Reached(@Nullable StoreState state, boolean balanced, long nanos, Duration waited) {
    /** The same, but for the state: it may yet change. */
    Reached unknown() {
      return new Reached(null, false, nanos, waited);
    }
  }

  /**
   * Until the books agree, or the time is over. Who does not claim to recover is left alone once
   * nothing changes any more.
   */
  Reached await(long total) throws InterruptedException {
    long begin = System.nanoTime();
    long deadline = begin + within.toNanos();
    boolean recovers = has(Capability.RECOVERY);
    StoreState last = null;
    while (true) {
      resolve();
      StoreState state = observe();
      boolean agrees = state != null && balanced(state, total);
      boolean still = state != null && state.equals(last) && !recovers;
      long now = System.nanoTime();
      if (agrees || still || now > deadline) {
        return new Reached(state, agrees, now, Duration.ofNanos(now - begin));
      }
      last = state;
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }

  private boolean has(Capability capability) {
    return subject.capabilities().contains(capability);
  }

  private void resolve() throws InterruptedException {
    if (!has(Capability.RESOLVE_ON_DEMAND)) {
      return;
    }
    for (Subject.Instance instance : instances) {
      Bounded.within(
          within,
          "resolve",
          () -> {
            instance.resolve();
            instance.reconcile(couponId);
            return true;
          });
    }
  }

  private @Nullable StoreState observe() throws InterruptedException {
    try {
      return subject.observe(environment, couponId);
    } catch (InterruptedException stop) {
      throw stop;
    } catch (Exception unanswered) {
      LOG.debug("observed=nothing coupon={}", couponId, unanswered);
      return null;
    }
  }

  /** Whether counter, rows and gate agree, as far as there are any, and nothing is open. */
  private boolean balanced(StoreState state, long total) {
    boolean counted = state.counter() < 0 || state.counter() == state.rows();
    boolean gated = has(Capability.GATE);
    return counted
        && (!gated
            || (state.gateStock() == Math.max(0, total - state.rows())
                && state.gateUsers().equals(state.rowsByUser().keySet())
                && state.reservations().isEmpty()));
  }
}
