package io.stockproof;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The user's listener, whose exceptions end here. */
final class Listening implements IssuanceListener {

  private static final Logger log = LoggerFactory.getLogger(IssuanceListener.class);

  private final IssuanceListener listener;
  private final Seldom seldom;

  Listening(IssuanceListener listener, LongSupplier nanoClock) {
    this.listener = listener;
    this.seldom = new Seldom(nanoClock);
  }

  @Override
  public void onOutcome(long couponId, String userId, IssueOutcome outcome, Duration elapsed) {
    tell(() -> listener.onOutcome(couponId, userId, outcome, elapsed));
  }

  @Override
  public void onResolved(long couponId, Resolution resolution, long reservations) {
    if (reservations > 0) {
      tell(() -> listener.onResolved(couponId, resolution, reservations));
    }
  }

  @Override
  public void onRebuilt(long couponId) {
    tell(() -> listener.onRebuilt(couponId));
  }

  @Override
  public void onCircuit(Circuit state) {
    if (state == Circuit.OPEN) {
      log.warn("event=circuit state={} the gate does not answer", state);
    } else {
      log.info("event=circuit state={}", state);
    }
    tell(() -> listener.onCircuit(state));
  }

  private void tell(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      if (seldom.now()) {
        log.warn("event=listener-failed", e);
      }
    }
  }
}
