package io.stockproof.verification.explore;

import io.stockproof.verification.explore.RedisHand.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What Redis held before each command of a run, so that it can come back older than it was: as a
 * replica does that takes over without the last writes. A command writes to no keys but its own
 * (Redis Cluster asks for that), so its own are all that is noted. Used by the scheduler's thread.
 */
final class RedisPast {

  private final @Nullable RedisHand hand;
  private final List<Map<String, Value>> before = new ArrayList<>();

  /** Notes nothing where there is no hand. */
  RedisPast(@Nullable RedisHand hand) {
    this.hand = hand;
  }

  /** A command with these keys is executed next. */
  void next(List<String> keys) {
    if (hand != null && !keys.isEmpty()) {
      Map<String, Value> values = new HashMap<>();
      for (String key : keys) {
        values.put(key, hand.read(key));
      }
      before.add(values);
    }
  }

  /**
   * As if the last command that changed something had not been.
   *
   * @return the keys that it had changed
   */
  Set<String> withoutLastWrite() {
    for (int i = before.size() - 1; i >= 0; i--) {
      Set<String> changed = backTo(before.get(i));
      if (!changed.isEmpty()) {
        return changed;
      }
    }
    return Set.of();
  }

  /**
   * As if no command had changed anything.
   *
   * @return the keys that they had changed
   */
  Set<String> withoutAnyWrite() {
    Map<String, Value> first = new HashMap<>();
    before.forEach(values -> values.forEach(first::putIfAbsent));
    return backTo(first);
  }

  private Set<String> backTo(Map<String, Value> values) {
    Set<String> changed = new HashSet<>();
    if (hand != null) {
      for (Map.Entry<String, Value> then : values.entrySet()) {
        if (!hand.read(then.getKey()).sameAs(then.getValue())) {
          hand.write(then.getKey(), then.getValue());
          changed.add(then.getKey());
        }
      }
    }
    return changed;
  }
}
