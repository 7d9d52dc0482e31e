package io.stockproof.verification.protocol;

import io.stockproof.verification.protocol.Answer.Word;
import io.stockproof.verification.protocol.Caller.Told;
import io.stockproof.verification.protocol.Recovery.Rebuild;
import io.stockproof.verification.protocol.Recovery.Reconciler;
import io.stockproof.verification.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Lets a state come to rest as the core does, asks everybody and fresh users again, and judges: the
 * same steps as in the search, one after the other and without faults.
 */
final class AtRest {

  private static final int MOST_ATTEMPTS = 3;
  private static final int FIRST_PROBE_TOKEN = 10;

  private final Scope scope;
  private final Protocol protocol;
  private final int probe;
  private final int rebuild;
  private State state;
  private int probes;

  AtRest(Scope scope, Protocol protocol, State quiescent) {
    this.scope = scope;
    this.protocol = protocol;
    this.probe = scope.requests();
    this.rebuild = scope.rebuilds();
    this.state = quiescent.withProbe();
    state.callers[probe].at = Caller.At.DONE;
    state.faultsLeft = 0;
  }

  /** What is broken, first things first; empty if nothing is. */
  List<Broken> judge() {
    List<Broken> broken = new ArrayList<>();
    come();
    books(broken);
    answers(broken);
    ask(broken);
    come();
    if (broken.isEmpty()) {
      books(broken);
    }
    return broken;
  }

  /** Reservations are resolved, and the gate is made anew if it is not as it should be. */
  private void come() {
    if (scope.has(Part.LEASE_WITHIN_TIMEOUT)) {
      // Every reservation is older than the timeout now; so is every rebuild.
      state.gate.lease = false;
    }
    if (state.gate.problem() == null && state.gate.reservations() > 0) {
      state.recovery.reconciliationsLeft = 1;
      do {
        once(sink -> protocol.recoveries().reconciler(state, sink));
      } while (state.recovery.reconciler != Reconciler.IDLE);
    }
    if (missing() || state.rebuildWanted || (scope.has(Part.AUDIT) && outOfStep())) {
      state.rebuildWanted = false;
      state.recovery.rebuild[rebuild] = Rebuild.NOT_BEGUN;
      do {
        once(sink -> protocol.recoveries().rebuild(state, rebuild, sink));
      } while (!state.recovery.rebuild[rebuild].over());
    }
  }

  /** Takes the step that is taken if nothing goes wrong. */
  private void once(Consumer<Sink> steps) {
    State[] first = new State[1];
    steps.accept(
        (event, next) -> {
          if (first[0] == null) {
            first[0] = next;
          }
        });
    if (first[0] == null) {
      throw new IllegalStateException("nobody goes on at rest: " + state);
    }
    state = first[0];
  }

  private boolean missing() {
    Answer problem = state.gate.problem();
    return problem != null
        && (problem.word() == Word.MISSING
            || (problem.word() == Word.REBUILDING && !state.gate.lease));
  }

  private boolean outOfStep() {
    int users = Integer.bitCount(state.gate.users);
    return state.gate.problem() == null
        && (users != state.ledger.counter
            || state.gate.stock != Math.max(0, scope.total() - users));
  }

  private void books(List<Broken> broken) {
    Gate gate = state.gate;
    int left = scope.total() - state.ledger.rows();
    if (gate.problem() != null
        || gate.stock != left
        || gate.users != state.ledger.users()
        || gate.reservations() != 0) {
      broken.add(new Broken(Rule.R203, "at rest: " + state));
    }
    if (gate.problem() == null && gate.stock != scope.total() - Integer.bitCount(gate.users)) {
      broken.add(new Broken(Rule.R204, "at rest: gate stock " + gate.stock));
    }
  }

  private void answers(List<Broken> broken) {
    for (int request = 0; request < probe; request++) {
      Caller caller = state.callers[request];
      boolean wrote = state.ledger.row[caller.user] == caller.token;
      if (caller.told == Told.ISSUED && !wrote) {
        broken.add(new Broken(Rule.R201, "ISSUED, and no row at rest"));
      }
      if (onlyUnavailable(caller.user)
          && (state.ledger.has(caller.user) || state.gate.holds(caller.user))) {
        broken.add(new Broken(Rule.R305, "UNAVAILABLE left something behind: " + state));
      }
    }
  }

  private boolean onlyUnavailable(int user) {
    for (int request = 0; request < probe; request++) {
      Caller caller = state.callers[request];
      if (caller.user == user && caller.told != Told.UNAVAILABLE) {
        return false;
      }
    }
    return true;
  }

  /** Everybody asks again, then fresh users ask for what is left and for one unit more. */
  private void ask(List<Broken> broken) {
    List<Integer> asked = scope.users().stream().distinct().toList();
    for (int user : asked) {
      boolean held = state.ledger.has(user);
      boolean left = state.ledger.rows() < scope.total();
      Told told = told(user);
      if (held && told != Told.DUPLICATE && (left || told != Told.SOLD_OUT)) {
        broken.add(new Broken(Rule.R307, "a holder who asks again is told " + told));
      }
      if (!held && left && told != Told.ISSUED) {
        broken.add(new Broken(Rule.R202, "a unit is left, and who asks is told " + told));
      }
    }
    for (int fresh = State.ASKING_USERS; fresh < State.USERS; fresh++) {
      boolean left = state.ledger.rows() < scope.total();
      Told told = told(fresh);
      if (told != (left ? Told.ISSUED : Told.SOLD_OUT)) {
        broken.add(
            new Broken(left ? Rule.R202 : Rule.R303, "a fresh user at rest is told " + told));
      }
      if (!left) {
        return;
      }
    }
  }

  /** The answer to one call, asked again as long as it is UNAVAILABLE. */
  private Told told(int user) {
    Told told = Told.UNAVAILABLE;
    for (int attempt = 0; attempt < MOST_ATTEMPTS && told == Told.UNAVAILABLE; attempt++) {
      Caller caller = new Caller();
      caller.user = user;
      caller.token = FIRST_PROBE_TOKEN + probes++;
      state.callers[probe] = caller;
      while (!state.callers[probe].done()) {
        once(sink -> protocol.requests().steps(state, probe, sink));
        state.see();
      }
      told = state.callers[probe].told;
      come();
    }
    return told;
  }
}
