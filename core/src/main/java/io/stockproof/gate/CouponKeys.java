package io.stockproof.gate;

import java.util.ArrayList;
import java.util.List;

/** The Redis keys of one coupon. The braces put all of them into one slot (public case G20). */
final class CouponKeys {

  private CouponKeys() {}

  /** Stock, users, pending, meta: the order that the scripts expect. */
  static List<String> of(long couponId) {
    String prefix = "coupon:{" + couponId + "}:";
    return List.of(prefix + "stock", prefix + "users", prefix + "pending", prefix + "meta");
  }

  /**
   * The same, and the users in the making. One key for all rebuilds: each script checks that the
   * rebuild is still its own before it touches it.
   */
  static List<String> ofRebuild(long couponId) {
    List<String> keys = new ArrayList<>(of(couponId));
    keys.add("coupon:{" + couponId + "}:users:making");
    return keys;
  }
}
