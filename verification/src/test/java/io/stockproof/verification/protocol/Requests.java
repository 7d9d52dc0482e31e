package io.stockproof.verification.protocol;

import io.stockproof.verification.protocol.Answer.Word;
import io.stockproof.verification.protocol.Caller.At;
import io.stockproof.verification.protocol.Caller.Told;
import io.stockproof.verification.rules.Rule;

/** The steps of one request: gate, ledger, resolve. */
final class Requests {

  private static final int MOST_FENCED = 3;

  private final Scope scope;

  Requests(Scope scope) {
    this.scope = scope;
  }

  void steps(State state, int request, Sink sink) {
    Caller caller = state.callers[request];
    switch (caller.at) {
      case ACQUIRE -> acquire(state, request, sink);
      case COUNT -> count(state, request, sink);
      case INSERT -> insert(state, request, sink);
      case COMMIT -> commit(state, request, sink);
      case EXPLAIN -> explain(state, request, sink);
      case RENEW -> renew(state, request, sink);
      case LOOK_LOCK -> lookBehindLock(state, request, sink);
      case LOOK_READ -> lookAtRow(state, request, sink);
      case RELEASE -> resolve(state, request, Message.Kind.RELEASE, Told.UNAVAILABLE, sink);
      case EXHAUSTED -> resolve(state, request, Message.Kind.EXHAUSTED, Told.SOLD_OUT, sink);
      case CONFIRM_LATER -> later(state, request, Message.Kind.CONFIRM, sink);
      case RELEASE_LATER -> later(state, request, Message.Kind.RELEASE, sink);
      case EXHAUSTED_LATER -> later(state, request, Message.Kind.EXHAUSTED, sink);
      case DONE -> {}
    }
    if (caller.asked() && !caller.done()) {
      crash(state, request, sink);
      leave(state, request, sink);
    }
  }

  private static void acquire(State state, int request, Sink sink) {
    boolean full = state.full(state.callers[request].user);
    Wire.send(
        state,
        Event.Who.REQUEST,
        Message.of(Message.Kind.ACQUIRE, request),
        (next, answer) -> {
          Caller caller = next.callers[request];
          caller.sawFull |= full;
          switch (answer.word()) {
            case ACQUIRED -> {
              caller.go(At.COUNT);
              caller.epoch = answer.number();
            }
            case DUPLICATE -> end(next, request, Told.DUPLICATE, At.DONE);
            case SOLD_OUT, SOLD_OUT_SETTLED -> end(next, request, Told.SOLD_OUT, At.DONE);
            default -> end(next, request, Told.UNAVAILABLE, At.DONE);
          }
        },
        // Refused it was not executed; unanswered it may be, so a release goes after it.
        (next, answer) ->
            end(
                next,
                request,
                Told.UNAVAILABLE,
                answer.word() == Word.NONE ? At.RELEASE_LATER : At.DONE),
        sink);
  }

  private void count(State state, int request, Sink sink) {
    if (state.ledger.locked()) {
      return;
    }
    State next = state.copy();
    Caller caller = next.callers[request];
    boolean epoch = caller.epoch == next.ledger.epoch || !scope.has(Part.EPOCH_IN_UPDATE);
    boolean counted = epoch && next.ledger.counter < scope.total();
    if (counted) {
      next.ledger.lock = request;
    }
    caller.go(counted ? At.INSERT : At.EXPLAIN);
    sql(request, "UPDATE", counted ? Word.COUNTED : Word.NOT_COUNTED, next, sink);
    databaseError(state, request, "UPDATE", sink);
  }

  private static void insert(State state, int request, Sink sink) {
    State next = state.copy();
    if (next.ledger.has(next.callers[request].user)) {
      next.ledger.rollback(request);
      end(next, request, Told.DUPLICATE, At.CONFIRM_LATER);
      sql(request, "INSERT", Word.ALREADY_THERE, next, sink);
    } else {
      next.callers[request].go(At.COMMIT);
      sql(request, "INSERT", Word.INSERTED, next, sink);
    }
    databaseError(state, request, "INSERT", sink);
    conflict(state, request, "INSERT", sink);
  }

  private static void commit(State state, int request, Sink sink) {
    State next = state.copy();
    Wire.write(next, request);
    end(next, request, Told.ISSUED, At.CONFIRM_LATER);
    sql(request, "COMMIT", Word.COMMITTED, next, sink);
    conflict(state, request, "COMMIT", sink);
    if (state.may(Fault.COMMIT_LOST)) {
      State lost = state.struck();
      lost.ledger.rollback(request);
      lost.callers[request].go(At.LOOK_LOCK);
      fault(request, "COMMIT", Fault.COMMIT_LOST, lost, sink);
    }
    if (state.may(Fault.COMMIT_UNANSWERED)) {
      State unanswered = state.struck();
      Wire.write(unanswered, request);
      unanswered.callers[request].go(At.LOOK_LOCK);
      fault(request, "COMMIT", Fault.COMMIT_UNANSWERED, unanswered, sink);
    }
    if (state.may(Fault.COMMIT_LATE)) {
      State late = state.struck();
      late.send(Message.of(Message.Kind.COMMIT, request));
      late.callers[request].go(At.LOOK_LOCK);
      fault(request, "COMMIT", Fault.COMMIT_LATE, late, sink);
    }
  }

  private void explain(State state, int request, Sink sink) {
    State next = state.copy();
    Caller caller = next.callers[request];
    int row = scope.has(Part.OWN_ROW_FIRST) ? next.ledger.row[caller.user] : 0;
    if (row != 0) {
      Told told = row == caller.token ? Told.ISSUED : Told.DUPLICATE;
      end(next, request, told, At.CONFIRM_LATER);
    } else if (!scope.has(Part.FENCED_IS_NOT_FULL)) {
      caller.go(At.EXHAUSTED);
    } else if (caller.epoch != next.ledger.epoch) {
      caller.go(At.RENEW);
    } else {
      caller.go(next.ledger.counter >= scope.total() ? At.EXHAUSTED : At.COUNT);
    }
    sql(request, "SELECT coupon and row", Word.READ, next, sink);
    databaseError(state, request, "SELECT coupon and row", sink);
  }

  private static void renew(State state, int request, Sink sink) {
    Wire.send(
        state,
        Event.Who.REQUEST,
        Message.of(Message.Kind.RENEW, request),
        (next, answer) -> {
          Caller caller = next.callers[request];
          int fenced = answer.number() == caller.epoch ? caller.fenced + 1 : 0;
          if (answer.word() != Word.RENEWED || fenced == MOST_FENCED) {
            // A gate that has lost the newer epoch is made anew.
            next.rebuildWanted |= fenced == MOST_FENCED && caller.epoch < next.ledger.epoch;
            caller.go(At.RELEASE);
          } else {
            caller.fenced = fenced;
            caller.epoch = answer.number();
            caller.go(At.COUNT);
          }
        },
        (next, answer) -> next.callers[request].go(At.RELEASE),
        sink);
  }

  private void lookBehindLock(State state, int request, Sink sink) {
    State next = state.copy();
    if (!scope.has(Part.LOOKUP_BEHIND_LOCK)) {
      next.callers[request].go(At.LOOK_READ);
      sql(request, "begin a plain look", Word.READ, next, sink);
    } else if (!next.ledger.locked()) {
      next.ledger.lock = request;
      next.callers[request].go(At.LOOK_READ);
      sql(request, "SELECT FOR UPDATE", Word.LOCKED, next, sink);
    } else if (next.ledger.lock == request) {
      // Its own lost session holds the lock for as long as nobody knows.
      end(next, request, Told.UNKNOWN, At.DONE);
      sql(request, "SELECT FOR UPDATE, no lock in time", Word.NONE, next, sink);
    }
  }

  private void lookAtRow(State state, int request, Sink sink) {
    State next = state.copy();
    Caller caller = next.callers[request];
    if (scope.has(Part.LOOKUP_BEHIND_LOCK)) {
      next.ledger.rollback(request);
    }
    int row = next.ledger.row[caller.user];
    if (row == 0) {
      caller.go(At.RELEASE);
    } else {
      Told told = row == caller.token ? Told.ISSUED : Told.DUPLICATE;
      end(next, request, told, At.CONFIRM_LATER);
    }
    sql(request, "SELECT token", Word.READ, next, sink);
  }

  /** On the caller's path; what fails is done later. */
  private static void resolve(State state, int request, Message.Kind kind, Told told, Sink sink) {
    At later = kind == Message.Kind.RELEASE ? At.RELEASE_LATER : At.EXHAUSTED_LATER;
    Wire.send(
        state,
        Event.Who.REQUEST,
        Message.of(kind, request),
        (next, answer) -> {
          next.rebuildWanted |= kind == Message.Kind.EXHAUSTED;
          end(next, request, told, At.DONE);
        },
        (next, answer) -> end(next, request, told, later),
        sink);
  }

  private static void later(State state, int request, Message.Kind kind, Sink sink) {
    Wire.send(
        state,
        Event.Who.REQUEST,
        Message.of(kind, request),
        (next, answer) -> next.callers[request].go(At.DONE),
        sink);
  }

  private static void databaseError(State state, int request, String what, Sink sink) {
    if (state.may(Fault.DATABASE_ERROR)) {
      State next = state.struck();
      next.ledger.rollback(request);
      next.callers[request].go(At.RELEASE);
      fault(request, what, Fault.DATABASE_ERROR, next, sink);
    }
  }

  private static void conflict(State state, int request, String what, Sink sink) {
    if (state.may(Fault.CONFLICT)) {
      State next = state.struck();
      next.ledger.rollback(request);
      next.callers[request].go(At.COUNT);
      fault(request, what, Fault.CONFLICT, next, sink);
    }
  }

  private static void crash(State state, int request, Sink sink) {
    if (!state.may(Fault.CRASH)) {
      return;
    }
    State next = state.struck();
    if (!committing(next, request)) {
      next.ledger.rollback(request);
    }
    Caller caller = next.callers[request];
    if (caller.told == Told.NOTHING) {
      caller.told = Told.CUT_OFF;
    }
    caller.go(At.DONE);
    fault(request, "the instance dies", Fault.CRASH, next, sink);
  }

  private static boolean committing(State state, int request) {
    for (int i = 0; i < state.messages(); i++) {
      Message message = state.message(i);
      if (message.kind() == Message.Kind.COMMIT && message.by() == request) {
        return true;
      }
    }
    return false;
  }

  /** The caller's time is over: what is told depends on whether a COMMIT is under way. */
  private static void leave(State state, int request, Sink sink) {
    Caller caller = state.callers[request];
    if (caller.told != Told.NOTHING || !state.may(Fault.DEADLINE)) {
      return;
    }
    State next = state.struck();
    switch (caller.at) {
      case LOOK_LOCK, LOOK_READ -> end(next, request, Told.UNKNOWN, caller.at);
      case RELEASE, EXHAUSTED -> end(next, request, Told.UNAVAILABLE, caller.at);
      default -> {
        // Its worker may not begin a COMMIT any more, and rolls back.
        next.ledger.rollback(request);
        end(next, request, Told.UNAVAILABLE, At.RELEASE_LATER);
      }
    }
    fault(request, "the caller leaves", Fault.DEADLINE, next, sink);
  }

  /** The caller is told, unless he has left; then goes on. */
  private static void end(State next, int request, Told told, At at) {
    Caller caller = next.callers[request];
    if (caller.told == Told.NOTHING) {
      caller.told = told;
      judge(next, caller);
    }
    if (caller.at != at) {
      caller.go(at);
    }
  }

  private static void judge(State next, Caller caller) {
    int row = next.ledger.row[caller.user];
    if (caller.told == Told.ISSUED && row != caller.token) {
      next.broken.add(new Broken(Rule.R301, "ISSUED without a row"));
    }
    if (caller.told == Told.DUPLICATE && row == 0) {
      next.broken.add(new Broken(Rule.R304, "DUPLICATE without a row"));
    }
    if (caller.told == Told.SOLD_OUT && !caller.sawFull && !next.full(caller.user)) {
      next.broken.add(
          new Broken(Rule.R303, "SOLD_OUT while a unit was neither given nor reserved"));
    }
  }

  private static void sql(int request, String what, Word word, State next, Sink sink) {
    sink.step(new Event(Event.Who.REQUEST, request, what, null, Answer.of(word)), next);
  }

  private static void fault(int request, String what, Fault fault, State next, Sink sink) {
    sink.step(new Event(Event.Who.REQUEST, request, what, fault, Answer.of(Word.NONE)), next);
  }
}
