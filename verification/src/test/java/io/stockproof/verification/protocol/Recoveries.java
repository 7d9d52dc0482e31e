package io.stockproof.verification.protocol;

import io.stockproof.verification.protocol.Answer.Word;
import io.stockproof.verification.protocol.Event.Who;
import io.stockproof.verification.protocol.Recovery.Rebuild;
import io.stockproof.verification.protocol.Recovery.Reconciler;
import io.stockproof.verification.rules.Rule;
import org.jspecify.annotations.Nullable;

/** The steps of the reconciler, of rebuilds, and of an opening that is no rebuild. */
final class Recoveries {

  private final Scope scope;

  Recoveries(Scope scope) {
    this.scope = scope;
  }

  void reconciler(State state, Sink sink) {
    switch (state.recovery.reconciler) {
      case IDLE -> stale(state, sink);
      case FENCE -> fenceAndLook(state, sink);
      case SETTLE ->
          Wire.send(
              state,
              Who.RECONCILER,
              state.recovery.settling,
              (next, answer) -> next.recovery.reconcilerEnds(),
              (next, answer) -> next.recovery.reconcilerEnds(),
              sink);
    }
    if (state.recovery.reconciler != Reconciler.IDLE && state.may(Fault.CRASH)) {
      State next = state.struck();
      next.recovery.reconcilerEnds();
      sink.step(event(Who.RECONCILER, 0, "the instance dies", Fault.CRASH, Word.NONE), next);
    }
  }

  /** Which reservations are too old is a matter of time: any of them, all of them first. */
  private static void stale(State state, Sink sink) {
    if (state.recovery.reconciliationsLeft == 0 || state.gate.problem() != null) {
      return;
    }
    int open = 0;
    int tokens = 0;
    for (int user = 0; user < State.ASKING_USERS; user++) {
      open |= state.gate.token[user] == 0 ? 0 : 1 << user;
      tokens |= state.gate.token[user] << (2 * user);
    }
    for (int old = open; old > 0; old = (old - 1) & open) {
      State next = state.copy();
      next.recovery.reconciliationsLeft--;
      next.recovery.reconciler = Reconciler.FENCE;
      next.recovery.settling = new Message(Message.Kind.SETTLE, 0, 0, old, 0, tokens);
      sink.step(event(Who.RECONCILER, 0, "STALE", null, Word.FOUND), next);
    }
  }

  private void fenceAndLook(State state, Sink sink) {
    boolean raises = scope.has(Part.RECONCILER_RAISES_EPOCH);
    if (raises && state.ledger.locked()) {
      return;
    }
    State next = state.copy();
    next.ledger.epoch += raises ? 1 : 0;
    Message old = next.recovery.settling;
    int epoch = raises ? next.ledger.epoch : 0;
    next.recovery.settling =
        new Message(
            Message.Kind.SETTLE,
            0,
            epoch,
            old.users(),
            next.ledger.users() & old.users(),
            old.tokens());
    next.recovery.reconciler = Reconciler.SETTLE;
    sink.step(event(Who.RECONCILER, 0, "raise epoch, look", null, Word.COMMITTED), next);
    if (state.may(Fault.COMMIT_UNANSWERED)) {
      State lost = state.struck();
      lost.ledger.epoch += raises ? 1 : 0;
      lost.recovery.reconcilerEnds();
      sink.step(
          event(Who.RECONCILER, 0, "raise epoch, look", Fault.COMMIT_UNANSWERED, Word.NONE), lost);
    }
  }

  void rebuild(State state, int id, Sink sink) {
    Rebuild at = state.recovery.rebuild[id];
    switch (at) {
      case NOT_BEGUN -> decide(state, id, sink);
      case BEGIN ->
          script(state, id, at(Message.Kind.BEGIN, state, id), Word.BEGUN, Rebuild.FENCE, sink);
      case FENCE -> fence(state, id, sink);
      case READ -> read(state, id, sink);
      case INSTALL ->
          script(
              state, id, at(Message.Kind.INSTALL, state, id), Word.INSTALLED, Rebuild.FINISH, sink);
      case FINISH ->
          script(state, id, at(Message.Kind.FINISH, state, id), Word.BUILT, Rebuild.BUILT, sink);
      case BUILT, GAVE_WAY, FAILED, CRASHED -> {}
    }
    if (at.runs() && state.may(Fault.CRASH)) {
      State next = state.struck();
      next.recovery.rebuildEnds(id, Rebuild.CRASHED);
      sink.step(event(Who.REBUILD, id, "the instance dies", Fault.CRASH, Word.NONE), next);
    }
  }

  private static Message at(Message.Kind kind, State state, int id) {
    int rows = state.recovery.rows[id];
    int epoch = kind == Message.Kind.INSTALL ? 0 : state.recovery.epoch[id];
    return new Message(kind, id, epoch, rows, Integer.bitCount(rows), 0);
  }

  /** One rebuild at a time in an instance; and one that died begins no more. */
  private void decide(State state, int id, Sink sink) {
    for (int other = 0; other < id; other++) {
      Rebuild earlier = state.recovery.rebuild[other];
      boolean same = scope.owner(other) == scope.owner(id);
      if (same && (!earlier.over() || earlier == Rebuild.CRASHED)) {
        return;
      }
    }
    State next = state.copy();
    next.recovery.rebuild[id] = Rebuild.BEGIN;
    next.recovery.epoch[id] = next.ledger.epoch;
    sink.step(event(Who.REBUILD, id, "SELECT coupon", null, Word.READ), next);
  }

  private void fence(State state, int id, Sink sink) {
    boolean raises = scope.has(Part.REBUILD_RAISES_EPOCH);
    if (raises && state.ledger.locked()) {
      return;
    }
    State next = state.copy();
    next.ledger.epoch += raises ? 1 : 0;
    next.recovery.epoch[id] = next.ledger.epoch;
    next.recovery.rebuild[id] = Rebuild.READ;
    sink.step(event(Who.REBUILD, id, "raise epoch", null, Word.COMMITTED), next);
    if (state.may(Fault.COMMIT_UNANSWERED)) {
      State lost = state.struck();
      lost.ledger.epoch += raises ? 1 : 0;
      lost.recovery.rebuildEnds(id, Rebuild.FAILED);
      sink.step(event(Who.REBUILD, id, "raise epoch", Fault.COMMIT_UNANSWERED, Word.NONE), lost);
    }
  }

  private static void read(State state, int id, Sink sink) {
    State next = state.copy();
    next.recovery.rows[id] = next.ledger.users();
    next.recovery.rebuild[id] = next.recovery.rows[id] == 0 ? Rebuild.FINISH : Rebuild.INSTALL;
    sink.step(event(Who.REBUILD, id, "SELECT users", null, Word.READ), next);
    if (state.may(Fault.DATABASE_ERROR)) {
      State failed = state.struck();
      failed.recovery.rebuildEnds(id, Rebuild.FAILED);
      sink.step(event(Who.REBUILD, id, "SELECT users", Fault.DATABASE_ERROR, Word.NONE), failed);
    }
  }

  private static void script(
      State state, int id, Message message, Word good, Rebuild then, Sink sink) {
    Wire.send(
        state,
        Who.REBUILD,
        message,
        (next, answer) -> {
          if (answer.word() != good) {
            next.recovery.rebuildEnds(id, Rebuild.GAVE_WAY);
          } else if (then.over()) {
            next.recovery.rebuildEnds(id, then);
          } else {
            next.recovery.rebuild[id] = then;
          }
        },
        (next, answer) -> next.recovery.rebuildEnds(id, Rebuild.FAILED),
        sink);
  }

  /** What opening would be if it wrote the gate itself. */
  void opener(State state, Sink sink) {
    if (scope.has(Part.OPEN_BY_REBUILD)) {
      return;
    }
    if (state.recovery.openingFoundNone) {
      State next = state.copy();
      next.recovery.openingFoundNone = false;
      if (next.gate.problem() == null) {
        next.broken.add(new Broken(Rule.R602, "opening again wrote over a gate in service"));
      }
      next.gate.writeFresh(next.ledger.epoch);
      sink.step(event(Who.OPENER, 0, "write a fresh gate", null, Word.NONE), next);
    } else if (state.recovery.openingsLeft > 0 && state.gate.problem() != null) {
      State next = state.copy();
      next.recovery.openingsLeft--;
      next.recovery.openingFoundNone = true;
      sink.step(event(Who.OPENER, 0, "INSPECT", null, Word.MISSING), next);
    }
  }

  private static Event event(Who who, int number, String what, @Nullable Fault fate, Word word) {
    return new Event(who, number, what, fate, Answer.of(word));
  }
}
