package io.stockproof.verification.protocol;

import io.stockproof.verification.protocol.Answer.Word;
import io.stockproof.verification.rules.Rule;
import org.jspecify.annotations.Nullable;

/** Scripts and COMMITs: how they are executed, and what can become of them on the way. */
final class Wire {

  private Wire() {}

  /** What whoever sent something does then. */
  @FunctionalInterface
  interface Reaction {
    void react(State next, Answer answer);
  }

  /** Sends a script; without an answer nothing else happens than that it is sent again. */
  static void send(State state, Event.Who who, Message message, Reaction answered, Sink sink) {
    send(state, who, message, answered, null, sink);
  }

  /**
   * Sends a script, with every fate that a fault may give it.
   *
   * @param failed what is done where no answer comes, or the server refuses; null: the same again
   */
  static void send(
      State state,
      Event.Who who,
      Message message,
      Reaction answered,
      @Nullable Reaction failed,
      Sink sink) {
    String what = message.kind().name();
    int number = message.by();
    State next = state.copy();
    Answer answer = execute(next, message);
    answered.react(next, answer);
    sink.step(new Event(who, number, what, null, answer), next);
    Answer none = Answer.of(Word.NONE);
    if (state.may(Fault.COPY)) {
      State copied = state.struck();
      copied.send(message);
      sink.step(new Event(who, number, what, Fault.COPY, none), copied);
    }
    if (failed != null && state.may(Fault.NO_ANSWER)) {
      State given = state.struck();
      given.send(message);
      failed.react(given, none);
      sink.step(new Event(who, number, what, Fault.NO_ANSWER, none), given);
    }
    if (failed != null && state.may(Fault.REFUSED)) {
      State refused = state.struck();
      failed.react(refused, Answer.of(Word.NOTHING));
      sink.step(new Event(who, number, what, Fault.REFUSED, none), refused);
    }
  }

  /** One atomic step at a server. */
  static Answer execute(State state, Message message) {
    Gate gate = state.gate;
    int by = message.by();
    return switch (message.kind()) {
      case ACQUIRE -> {
        Caller caller = state.callers[by];
        boolean held = gate.token[caller.user] == caller.token;
        Answer answer = gate.acquire(caller.user, caller.token);
        caller.displaced &= held || answer.word() != Word.ACQUIRED;
        yield answer;
      }
      case RELEASE -> gate.release(state.callers[by].user, state.callers[by].token);
      case CONFIRM -> gate.confirm(state.callers[by].user, state.callers[by].token);
      case EXHAUSTED -> gate.exhausted(state.callers[by].user, state.callers[by].token);
      case RENEW -> {
        Answer answer = gate.renew(state.callers[by].user, state.callers[by].token);
        state.callers[by].displaced &= answer.word() != Word.RENEWED;
        yield answer;
      }
      case SETTLE -> settle(state, message);
      case BEGIN -> gate.begin(by, message.epoch());
      case INSTALL -> gate.install(by, message.users());
      case FINISH -> finish(state, message);
      case COMMIT -> {
        if (state.ledger.lock == by) {
          write(state, by);
        }
        yield Answer.of(Word.COMMITTED);
      }
    };
  }

  private static Answer settle(State state, Message message) {
    int[] before = state.gate.token.clone();
    Answer answer = state.gate.settle(message);
    for (Caller caller : state.callers) {
      boolean released =
          before[caller.user] == caller.token
              && state.gate.token[caller.user] == 0
              && !state.gate.holds(caller.user);
      caller.displaced |= released && !caller.done();
    }
    return answer;
  }

  private static Answer finish(State state, Message message) {
    Answer answer = state.gate.finish(message.by(), message.rows(), message.epoch());
    // A gate behind the ledger's epoch lets nobody in who could write, and fences before it can.
    if (answer.word() == Word.BUILT && state.gate.epoch >= state.ledger.epoch) {
      for (int request = 0; request < state.callers.length; request++) {
        Caller caller = state.callers[request];
        boolean mayWrite = caller.asked() && caller.at.compareTo(Caller.At.RENEW) <= 0;
        boolean writing = state.ledger.lock == request;
        caller.displaced |= (mayWrite || writing) && !state.gate.holds(caller.user);
      }
    }
    return answer;
  }

  /** The transaction of the request becomes durable. */
  static void write(State state, int request) {
    Caller caller = state.callers[request];
    if (caller.displaced) {
      state.broken.add(
          new Broken(Rule.R504, "a row under a reservation that was given to others before"));
    }
    state.ledger.row[caller.user] = caller.token;
    state.ledger.counter++;
    state.ledger.rollback(request);
  }
}
