package io.stockproof.verification.rules;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A history, arranged for the checkers; only what concerns its scenario's coupon. */
final class Evidence {
  private final History history;
  private final @Nullable Timeline timeline;
  private final List<Books> states;
  private final boolean gated;
  private final List<Call> calls = new ArrayList<>();
  private final List<Call> otherCoupons = new ArrayList<>();
  private final Map<String, List<Call>> callsByUser = new LinkedHashMap<>();
  private @Nullable Fullness fullness;
  private @Nullable RowSightings rowSightings;
  private @Nullable Commands commands;

  Evidence(History history) {
    this.history = history;
    this.timeline = Timeline.of(history);
    this.states = states(history);
    this.gated = states.stream().anyMatch(books -> hasGate(books.state()));
    for (Call call : history.calls()) {
      if (!call.phase().asks()) {
        continue;
      }
      if (call.couponId() == history.scenario().couponId()) {
        calls.add(call);
        callsByUser.computeIfAbsent(call.userId(), user -> new ArrayList<>()).add(call);
      } else {
        otherCoupons.add(call);
      }
    }
  }

  History history() {
    return history;
  }

  long total() {
    return history.scenario().total();
  }

  /** Null in histories that were merely sampled. */
  @Nullable Timeline timeline() {
    return timeline;
  }

  List<Call> calls() {
    return calls;
  }

  List<Call> calls(Call.Phase phase) {
    return calls.stream().filter(call -> call.phase() == phase).toList();
  }

  List<Call> told(IssueOutcome outcome) {
    return calls.stream().filter(call -> call.outcome() == outcome).toList();
  }

  List<Call> callsOfOtherCoupons() {
    return otherCoupons;
  }

  Map<String, List<Call>> callsByUser() {
    return callsByUser;
  }

  List<Call> callsOf(String userId) {
    return callsByUser.getOrDefault(userId, List.of());
  }

  /** Whether the implementation made its stores right again at a moment of the call. */
  boolean recoveredDuring(Call call) {
    return history.calls(Call.Phase.RECOVERS).stream()
        .anyMatch(recovery -> recovery.start() < call.end() && call.start() < recovery.end());
  }

  /** The last state known at rest; null if rest was not reached. */
  @Nullable StoreState lastAtRest() {
    return history.afterProbes() != null ? history.afterProbes() : history.atRest();
  }

  /** All states seen, in order; those at rest last. */
  List<Books> states() {
    return states;
  }

  private static List<Books> states(History history) {
    List<Books> states = new ArrayList<>(history.books());
    addAtRest(states, history.atRest());
    addAtRest(states, history.afterProbes());
    return states;
  }

  private static void addAtRest(List<Books> states, @Nullable StoreState state) {
    if (state != null) {
      states.add(new Books(Finding.NO_MOMENT, true, state));
    }
  }

  /** Whether a gate was ever seen for this coupon. */
  boolean gated() {
    return gated;
  }

  private static boolean hasGate(StoreState state) {
    return state.gateStock() != StoreState.MISSING
        || !state.gateUsers().isEmpty()
        || !state.reservations().isEmpty();
  }

  /** Whether this user may have been the one who wrote a row by this call, by what it was told. */
  static boolean mayHaveWritten(Call call) {
    return call.outcome() == null || isGiven(call) || call.outcome() == IssueOutcome.UNKNOWN;
  }

  /** Whether the caller was told that the unit is theirs. */
  static boolean isGiven(Call call) {
    return call.outcome() == IssueOutcome.ISSUED || call.outcome() == IssueOutcome.ACCEPTED;
  }

  Fullness fullness() {
    if (fullness == null) {
      fullness = timeline != null ? new StepwiseFullness(this) : new BoundedFullness(this);
    }
    return fullness;
  }

  /** Only where the wire was watched. */
  Commands commands() {
    if (commands == null) {
      commands = new Commands(Objects.requireNonNull(history.wire()), history.calls());
    }
    return commands;
  }

  RowSightings rowSightings() {
    if (rowSightings == null) {
      rowSightings = new RowSightings(this);
    }
    return rowSightings;
  }
}
