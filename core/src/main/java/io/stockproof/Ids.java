package io.stockproof;

import java.util.Objects;

/** The rules for ids: users are such that both stores take them for the same, byte for byte. */
final class Ids {

  private static final int LONGEST = 64;

  private Ids() {}

  static void checkUser(String userId) {
    // Explicitly: an exception that the JVM throws by itself may come without a message.
    Objects.requireNonNull(userId, "user id must not be null");
    boolean fits = !userId.isEmpty() && userId.length() <= LONGEST;
    for (int i = 0; fits && i < userId.length(); i++) {
      fits = userId.charAt(i) >= 0x21 && userId.charAt(i) <= 0x7E;
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "user id must be 1 to 64 printable ASCII characters without spaces, was '"
              + userId
              + "'");
    }
  }

  static void checkCoupon(long couponId) {
    if (couponId < 1) {
      throw new IllegalArgumentException("coupon id must be 1 or more, was " + couponId);
    }
  }
}
