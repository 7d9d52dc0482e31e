package io.stockproof.verification;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Redis keys of a subject's gate; {@code %d} stands for the coupon id. Members and fields that are
 * the empty string are sentinels and are not counted.
 *
 * @param stock the gate stock, a string
 * @param users who holds a reservation or an issuance, a set
 * @param pending open reservations by user, a hash; null if the gate does not keep them apart
 * @param more other keys of a coupon, removed with it
 */
public record GateKeys(String stock, String users, @Nullable String pending, List<String> more) {

  /** Copies the list. */
  public GateKeys {
    more = List.copyOf(more);
  }

  /** A gate of two keys. */
  public static GateKeys of(String stock, String users) {
    return new GateKeys(stock, users, null, List.of());
  }

  static String key(String pattern, long couponId) {
    return pattern.replace("%d", Long.toString(couponId));
  }

  String[] all(long couponId) {
    return Stream.concat(
            Stream.of(stock, users), Stream.concat(Stream.ofNullable(pending), more.stream()))
        .map(pattern -> key(pattern, couponId))
        .toArray(String[]::new);
  }
}
