package io.stockproof.verification.rules;

import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * From a run whose order was not controlled, only what is certain. Full, if rows seen or told
 * before the call ended number the total. Never full, if even counting everyone who had asked by
 * then does not. Otherwise unknown.
 */
final class BoundedFullness implements Fullness {
  private final long total;
  private final boolean gated;
  private final @Nullable Bounds sale;
  private final @Nullable Bounds probes;

  BoundedFullness(Evidence evidence) {
    total = evidence.total();
    gated = evidence.gated();
    StoreState atRest = evidence.history().atRest();
    StoreState after = evidence.history().afterProbes();
    List<Call> saleCalls = evidence.calls(Call.Phase.SALE);
    List<Call> probeCalls =
        evidence.calls().stream().filter(call -> call.phase() != Call.Phase.SALE).toList();
    sale = atRest == null ? null : new Bounds(null, atRest, saleCalls, evidence.history().books());
    probes = atRest == null || after == null ? null : new Bounds(atRest, after, probeCalls);
  }

  @Override
  public Truth everFullDuring(Call call) {
    Bounds bounds = call.phase() == Call.Phase.SALE ? sale : probes;
    if (bounds == null) {
      return Truth.UNKNOWN;
    }
    if (bounds.leastTaken(call) >= total) {
      return Truth.YES;
    }
    return bounds.mostTaken(call) < total ? Truth.NO : Truth.UNKNOWN;
  }

  /** Units taken between two states of rest, at least and at most. */
  private final class Bounds {
    private final StoreState before;
    private final StoreState after;
    private final long rowsBefore;
    private final Set<String> reservedBefore;

    /** Moments at which one more row was certainly there, ascending. */
    private final long[] rowMoments;

    /** Sampled moments, ascending, and the rows seen at each. */
    private final long[] sampleMoments;

    private final long[] rowsAtSample;

    /**
     * Moments at which a user began to ask, ascending, and the units that users to there may take.
     */
    private final long[] askMoments;

    private final long[] mostTakenByAskers;

    private final long rowsOfStrangers;

    Bounds(StoreState before, StoreState after, List<Call> calls) {
      this(before, after, calls, List.of());
    }

    Bounds(@Nullable StoreState before, StoreState after, List<Call> calls, List<Books> samples) {
      this.before =
          before != null
              ? before
              : new StoreState(Map.of(), 0, StoreState.MISSING, Set.of(), Set.of());
      this.after = after;
      sampleMoments = samples.stream().mapToLong(Books::moment).toArray();
      rowsAtSample = samples.stream().mapToLong(sample -> sample.state().rows()).toArray();
      rowsBefore = this.before.rows();
      reservedBefore = Fullness.reservedWithoutRow(this.before);
      rowMoments = rowMoments(calls);
      List<Call> firstCalls = firstCalls(calls);
      rowsOfStrangers = rowsOfStrangers(this.before, after, firstCalls);
      askMoments = firstCalls.stream().mapToLong(Call::start).toArray();
      mostTakenByAskers = new long[askMoments.length + 1];
      for (int i = 0; i < askMoments.length; i++) {
        mostTakenByAskers[i + 1] = mostTakenByAskers[i] + mostTakenBy(firstCalls.get(i).userId());
      }
    }

    /** Of users who got a row in this part of the run, when they were first told so. */
    private long[] rowMoments(List<Call> calls) {
      Map<String, Long> firstTold = new HashMap<>();
      for (Call call : calls) {
        if (Evidence.isGiven(call) && rowsGained(call.userId()) > 0) {
          firstTold.merge(call.userId(), call.end(), Math::min);
        }
      }
      return firstTold.values().stream().mapToLong(Long::longValue).sorted().toArray();
    }

    private static List<Call> firstCalls(List<Call> calls) {
      Set<String> seen = new HashSet<>();
      return calls.stream()
          .sorted((a, b) -> Long.compare(a.start(), b.start()))
          .filter(call -> seen.add(call.userId()))
          .toList();
    }

    private long rowsGained(String userId) {
      return after.rowsByUser().getOrDefault(userId, 0L)
          - before.rowsByUser().getOrDefault(userId, 0L);
    }

    private long mostTakenBy(String userId) {
      boolean counted = before.rowsByUser().containsKey(userId) || reservedBefore.contains(userId);
      return Math.max(rowsGained(userId), gated && !counted ? 1 : 0);
    }

    long leastTaken(Call call) {
      long told = rowsBefore + Ascending.countUpTo(rowMoments, call.end());
      return Math.max(told, rowsSeenUpTo(call.end()));
    }

    private long rowsSeenUpTo(long moment) {
      int seen = Ascending.countUpTo(sampleMoments, moment);
      return seen == 0 ? 0 : rowsAtSample[seen - 1];
    }

    long mostTaken(Call call) {
      String caller = call.userId();
      long own = after.rowsByUser().containsKey(caller) ? 0 : ownReservation(caller);
      return rowsBefore
          + reservedBefore.size()
          + rowsOfStrangers
          + mostTakenByAskers[Ascending.countUpTo(askMoments, call.end())]
          - own;
    }

    /** What was counted for a caller without a row: their own reservation does not count. */
    private long ownReservation(String caller) {
      return reservedBefore.contains(caller) ? 1 : mostTakenBy(caller);
    }

    /** Rows that appeared for users who did not ask. */
    private static long rowsOfStrangers(
        StoreState before, StoreState after, List<Call> firstCalls) {
      Set<String> askers = new HashSet<>();
      firstCalls.forEach(call -> askers.add(call.userId()));
      long rows = 0;
      for (Map.Entry<String, Long> entry : after.rowsByUser().entrySet()) {
        if (!askers.contains(entry.getKey())) {
          rows += entry.getValue() - before.rowsByUser().getOrDefault(entry.getKey(), 0L);
        }
      }
      return rows;
    }
  }
}
