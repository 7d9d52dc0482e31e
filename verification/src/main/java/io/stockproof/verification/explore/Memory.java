package io.stockproof.verification.explore;

import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.BadInput;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was read from the stores after equivalent beginnings of runs with the same scenario and
 * faults. Equivalent beginnings leave the same state, so that it need be read once. The state at
 * rest is read after every run all the same, and a replay reads every state anew.
 *
 * <p>Used by the scheduler's thread only.
 */
final class Memory {

  private final Map<String, StoreState> states = new HashMap<>();
  private final Map<Object, Probes> probes = new HashMap<>();

  /** What was asked at rest, and what came of it; moments count from the end of the sale. */
  record Probes(
      List<Call> calls, List<Books> books, @Nullable StoreState after, List<BadInput> badInputs) {}

  Map<String, StoreState> states() {
    return states;
  }

  Map<Object, Probes> probes() {
    return probes;
  }
}
