package io.stockproof.verification.rules;

import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Call;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Exact, from the books after every command. A state is full for everyone if rows and reservations
 * exceed the total, and full for all but those whose own reservation makes up the number if they
 * equal it. Linear in the books to prepare, logarithmic for a call.
 */
final class StepwiseFullness implements Fullness {
  private final Timeline timeline;

  /** How many states before an index are full for everyone, and are full exactly. */
  private final int[] overFullBefore;

  private final int[] justFullBefore;

  /** Indexes of just full states to which a user's own reservation belongs. */
  private final Map<String, List<Integer>> ownPartOfJustFull = new HashMap<>();

  StepwiseFullness(Evidence evidence) {
    timeline = Objects.requireNonNull(evidence.timeline());
    overFullBefore = new int[timeline.size() + 1];
    justFullBefore = new int[timeline.size() + 1];
    for (int i = 0; i < timeline.size(); i++) {
      StoreState state = timeline.state(i);
      Set<String> reserved = Fullness.reservedWithoutRow(state);
      long taken = state.rows() + reserved.size();
      boolean justFull = taken == evidence.total();
      overFullBefore[i + 1] = overFullBefore[i] + (taken > evidence.total() ? 1 : 0);
      justFullBefore[i + 1] = justFullBefore[i] + (justFull ? 1 : 0);
      if (justFull) {
        for (String user : reserved) {
          ownPartOfJustFull.computeIfAbsent(user, u -> new ArrayList<>()).add(i);
        }
      }
    }
  }

  @Override
  public Truth everFullDuring(Call call) {
    int first = timeline.first(call);
    int last = timeline.last(call);
    if (overFullBefore[last + 1] > overFullBefore[first]) {
      return Truth.YES;
    }
    int justFull = justFullBefore[last + 1] - justFullBefore[first];
    return justFull > ownBetween(call.userId(), first, last) ? Truth.YES : Truth.NO;
  }

  private int ownBetween(String userId, int first, int last) {
    List<Integer> own = ownPartOfJustFull.getOrDefault(userId, List.of());
    return countBelow(own, last + 1) - countBelow(own, first);
  }

  private static int countBelow(List<Integer> sorted, int bound) {
    int found = Collections.binarySearch(sorted, bound);
    return found >= 0 ? found : -found - 1;
  }
}
