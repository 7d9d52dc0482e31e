package io.stockproof.chaos;

import io.stockproof.verification.StoreState;
import io.stockproof.verification.stress.BooksSampler;
import io.stockproof.verification.stress.TimedCall;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether the books that were sampled under load agree but for what was under way. Gate and rows
 * are not read at one moment, so a call may show in one of them only while it runs, and shortly
 * after.
 */
final class SampledBalance {
  private static final Duration SHORTLY = Duration.ofMillis(500);

  private final List<TimedCall> load;
  private final long total;
  private final boolean gated;

  SampledBalance(List<TimedCall> load, long total, boolean gated) {
    this.load = load;
    this.total = total;
    this.gated = gated;
  }

  boolean holds(BooksSampler.Sample sample) {
    StoreState state = sample.books().state();
    if (state.counter() >= 0 && state.counter() != state.rows()) {
      return false;
    }
    if (!gated) {
      return true;
    }
    if (state.gateStock() == StoreState.MISSING) {
      return false;
    }
    Set<String> underWay = underWay(sample.nanos());
    Set<String> members = new HashSet<>(state.gateUsers());
    members.addAll(state.reservations());
    long expected = Math.max(0, total - members.size());
    return onlyIn(members, state.rowsByUser().keySet(), underWay)
        && onlyIn(state.rowsByUser().keySet(), members, underWay)
        && Math.abs(state.gateStock() - expected) <= underWay.size();
  }

  private Set<String> underWay(long nanos) {
    return load.stream()
        .filter(call -> call.dueNanos() - nanos <= 0)
        .filter(call -> call.endNanos() + SHORTLY.toNanos() - nanos >= 0)
        .map(call -> call.call().userId())
        .collect(Collectors.toSet());
  }

  /** Whether those of one and not of the other are all among the excused. */
  private static boolean onlyIn(Set<String> one, Set<String> other, Set<String> excused) {
    return one.stream().allMatch(user -> other.contains(user) || excused.contains(user));
  }
}
