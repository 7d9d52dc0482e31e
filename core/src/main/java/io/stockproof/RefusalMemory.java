package io.stockproof;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Refusals that hold for every user of a coupon, remembered in this JVM for a short time so that
 * they cost nothing. Only refusals: "there is some left" is never remembered (public case G29).
 */
final class RefusalMemory {

  private static final int MOST_COUPONS = 10_000;

  private final ConcurrentHashMap<Long, Refusal> byCoupon = new ConcurrentHashMap<>();
  private final long nanos;
  private final LongSupplier nanoClock;

  RefusalMemory(Duration time, LongSupplier nanoClock) {
    this.nanos = time.toNanos();
    this.nanoClock = nanoClock;
  }

  private record Refusal(IssueOutcome outcome, long endNanos) {}

  void remember(long couponId, IssueOutcome outcome) {
    if (nanos == 0) {
      return;
    }
    long now = nanoClock.getAsLong();
    if (byCoupon.size() >= MOST_COUPONS) {
      byCoupon.values().removeIf(refusal -> refusal.endNanos - now <= 0);
      if (byCoupon.size() >= MOST_COUPONS) {
        return;
      }
    }
    byCoupon.put(couponId, new Refusal(outcome, now + nanos));
  }

  @Nullable IssueOutcome recall(long couponId) {
    Refusal refusal = byCoupon.get(couponId);
    if (refusal == null) {
      return null;
    }
    if (refusal.endNanos - nanoClock.getAsLong() <= 0) {
      byCoupon.remove(couponId, refusal);
      return null;
    }
    return refusal.outcome;
  }

  void forget(long couponId) {
    byCoupon.remove(couponId);
  }
}
