package io.stockproof.verification.protocol;

import io.stockproof.verification.protocol.Answer.Word;
import io.stockproof.verification.rules.Rule;
import org.jspecify.annotations.Nullable;

/** Every step that is possible in a state, and the rules that hold at every moment. */
final class Protocol {

  private final Scope scope;
  private final Requests requests;
  private final Recoveries recoveries;

  Protocol(Scope scope) {
    this.scope = scope;
    this.requests = new Requests(scope);
    this.recoveries = new Recoveries(scope);
  }

  Requests requests() {
    return requests;
  }

  Recoveries recoveries() {
    return recoveries;
  }

  void steps(State state, Sink sink) {
    Sink judged =
        (event, next) -> {
          next.see();
          judge(next);
          sink.step(event, next);
        };
    for (int request = 0; request < state.callers.length; request++) {
      requests.steps(state, request, judged);
    }
    recoveries.reconciler(state, judged);
    for (int id = 0; id < scope.rebuilds(); id++) {
      recoveries.rebuild(state, id, judged);
    }
    recoveries.opener(state, judged);
    time(state, judged);
    arrivals(state, judged);
    losses(state, judged);
  }

  private static void time(State state, Sink sink) {
    if (state.gate.service == Gate.Service.REBUILDING && state.gate.lease) {
      State next = state.copy();
      next.gate.lease = false;
      sink.step(world("the lease of the rebuild runs out", null), next);
    }
    if (state.replica != null) {
      State next = state.copy();
      next.gate.takeOver(state.replica);
      next.replica = null;
      sink.step(world("the replica takes over", null), next);
    }
  }

  private static void arrivals(State state, Sink sink) {
    for (int i = 0; i < state.messages(); i++) {
      if (i > 0 && state.message(i).equals(state.message(i - 1))) {
        continue;
      }
      State next = state.copy();
      Message message = next.take(i);
      Wire.execute(next, message);
      sink.step(world("arrives: " + message.kind() + " of " + message.by(), null), next);
      State never = state.copy();
      never.take(i);
      if (message.kind() == Message.Kind.COMMIT) {
        never.ledger.rollback(message.by());
      }
      sink.step(world("never arrives: " + message.kind() + " of " + message.by(), null), never);
    }
  }

  private void losses(State state, Sink sink) {
    int keys = Gate.MAKING + scope.rebuilds();
    if (state.may(Fault.ALL_KEYS)) {
      State next = state.struck();
      for (int key = 0; key < keys; key++) {
        next.gate.lose(key);
      }
      sink.step(world("every key is gone", Fault.ALL_KEYS), next);
    }
    for (int key = 0; key < keys; key++) {
      if (state.may(Fault.ONE_KEY) && state.gate.has(key)) {
        State next = state.struck();
        next.gate.lose(key);
        sink.step(world("key " + key + " is gone", Fault.ONE_KEY), next);
      }
    }
    if (state.may(Fault.FAILOVER) && state.replica == null) {
      State next = state.struck();
      next.replica = next.gate.copy();
      sink.step(world("replication stops", Fault.FAILOVER), next);
    }
  }

  private static Event world(String what, @Nullable Fault fault) {
    return new Event(Event.Who.WORLD, 0, what, fault, Answer.of(Word.NONE));
  }

  private void judge(State next) {
    Ledger ledger = next.ledger;
    if (ledger.rows() > scope.total()) {
      next.broken.add(new Broken(Rule.R101, "more rows than units"));
    }
    if (ledger.rows() != ledger.counter) {
      next.broken.add(new Broken(Rule.R103, "the counter is not the number of rows"));
    }
    if (next.gate.stock < Gate.ABSENT) {
      next.broken.add(new Broken(Rule.R104, "the gate stock is negative"));
    }
    for (Caller caller : next.callers) {
      if (caller.told.refuses() && ledger.row[caller.user] == caller.token) {
        next.broken.add(new Broken(Rule.R302, "told " + caller.told + ", wrote a row"));
      }
    }
  }
}
