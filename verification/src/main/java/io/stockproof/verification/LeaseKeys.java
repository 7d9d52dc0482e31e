package io.stockproof.verification;

import java.util.List;
import java.util.stream.Stream;

/**
 * Keys in Redis that stand for a lock held for a time; {@code %d} is the coupon id.
 *
 * <p>At rest the leases of whoever died or lost the connection have run out: an explored run does
 * not wait for that, it removes these keys.
 *
 * @param keys the locks
 * @param privatePrefixes how keys begin that a client library uses for itself, such as the memory
 *     of one call: they are no part of a run, and commands on nothing else are let through
 *     unsteered
 */
public record LeaseKeys(List<String> keys, List<String> privatePrefixes) {

  /** No lock. */
  public static final LeaseKeys NONE = new LeaseKeys(List.of(), List.of());

  /** Copies the lists. */
  public LeaseKeys {
    keys = List.copyOf(keys);
    privatePrefixes = List.copyOf(privatePrefixes);
  }

  /** One lock. */
  public static LeaseKeys of(String key) {
    return new LeaseKeys(List.of(key), List.of());
  }

  /** The same with keys that begin like this left out of runs, too. */
  public LeaseKeys besides(String prefix) {
    return new LeaseKeys(keys, Stream.concat(privatePrefixes.stream(), Stream.of(prefix)).toList());
  }

  /** The locks of this coupon. */
  public List<String> of(long couponId) {
    return keys.stream().map(pattern -> GateKeys.key(pattern, couponId)).toList();
  }

  /** Whether a key is a client library's own. */
  public boolean isPrivate(String key) {
    return privatePrefixes.stream().anyMatch(key::startsWith);
  }
}
