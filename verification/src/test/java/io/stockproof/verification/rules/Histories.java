package io.stockproof.verification.rules;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Capability;
import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.BadInput;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import io.stockproof.verification.history.Wire;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes small histories down, as {@code told("A", 1, 4, ISSUED)} and {@code books(3, rows("A"))}.
 */
final class Histories {
  static final long COUPON = 1;
  static final long OTHER_COUPON = 2;

  private final long total;
  private final List<Call> calls = new ArrayList<>();
  private final List<Books> books = new ArrayList<>();
  private boolean exact = true;
  private boolean faulted;
  private int instances = 1;
  private @Nullable StoreState atRest;
  private @Nullable StoreState afterProbes;
  private boolean watched;
  private Scenario.Window window = Scenario.Window.OPEN;
  private final List<Wire.Sent> sent = new ArrayList<>();
  private final List<Wire.Loss> losses = new ArrayList<>();
  private final List<Wire.Wait> waits = new ArrayList<>();
  private final List<BadInput> badInputs = new ArrayList<>();

  private Histories(long total) {
    this.total = total;
  }

  static Histories stock(long total) {
    return new Histories(total);
  }

  Histories sampled() {
    exact = false;
    return this;
  }

  Histories faulted() {
    faulted = true;
    return this;
  }

  Histories instances(int count) {
    instances = count;
    return this;
  }

  Histories told(String user, long start, long end, IssueOutcome outcome) {
    return call(new CallSpec(user, start, end, outcome));
  }

  Histories again(String user, long start, long end, IssueOutcome outcome) {
    return call(new CallSpec(user, start, end, outcome).phase(Call.Phase.ASKS_AGAIN));
  }

  Histories fresh(String user, long start, long end, IssueOutcome outcome) {
    return call(new CallSpec(user, start, end, outcome).phase(Call.Phase.FRESH));
  }

  Histories call(CallSpec spec) {
    calls.add(spec.toCall(calls.size(), calls.size() % instances));
    return this;
  }

  Histories books(long moment, State state) {
    books.add(new Books(moment, exact, state.toState()));
    return this;
  }

  Histories atRest(State state) {
    atRest = state.toState();
    return this;
  }

  Histories afterProbes(State state) {
    afterProbes = state.toState();
    return this;
  }

  /** The wire was watched: what is not sent here was not sent. */
  Histories watched() {
    watched = true;
    return this;
  }

  Histories sent(SentSpec spec) {
    sent.add(spec.toSent());
    return watched();
  }

  Histories lost(long step, Set<String> keys, Set<String> absentAtRest) {
    losses.add(new Wire.Loss(step, keys, absentAtRest));
    faulted = true;
    return watched();
  }

  Histories waits(int call, long step) {
    waits.add(new Wire.Wait(call, step));
    return watched();
  }

  Histories when(Scenario.Window value) {
    window = value;
    return this;
  }

  Histories badInput(BadInput input) {
    badInputs.add(input);
    return this;
  }

  History build() {
    List<Request> requests =
        calls.stream().map(call -> new Request(call.userId(), call.instance())).toList();
    return new History(
        new Scenario(COUPON, total, instances, requests, window),
        faulted,
        calls,
        books,
        atRest,
        afterProbes,
        watched ? new Wire(sent, losses, waits) : null,
        badInputs);
  }

  Finding judge(Rule rule) {
    return judge(rule, build());
  }

  static Finding judge(Rule rule, History history) {
    return Rules.judge(history, EnumSet.allOf(Capability.class)).stream()
        .filter(finding -> finding.rule() == rule)
        .findFirst()
        .orElseThrow();
  }

  /** A state; counter as many as rows unless said otherwise, no gate unless said otherwise. */
  static State rows(String... users) {
    Map<String, Long> rows = new HashMap<>();
    for (String user : users) {
      rows.merge(user, 1L, Long::sum);
    }
    return new State(rows, users.length, StoreState.MISSING, Set.of(), Set.of());
  }

  record State(
      Map<String, Long> rows,
      long counter,
      long gateStock,
      Set<String> gateUsers,
      Set<String> reservations) {
    State counter(long value) {
      return new State(rows, value, gateStock, gateUsers, reservations);
    }

    State gate(long stock, String... users) {
      return new State(rows, counter, stock, Set.of(users), reservations);
    }

    State reserved(String... users) {
      return new State(rows, counter, gateStock, gateUsers, Set.of(users));
    }

    StoreState toState() {
      return new StoreState(rows, counter, gateStock, gateUsers, reservations);
    }
  }

  /** A command of the call with this id that was done at once, by itself. */
  static SentSpec sends(int call, long step, Wire.Kind kind) {
    return new SentSpec(call, true, step, step, kind, call, false, Wire.Fate.DONE, List.of());
  }

  record SentSpec(
      int call,
      boolean sure,
      long step,
      long done,
      Wire.Kind kind,
      int connection,
      boolean inTransaction,
      Wire.Fate fate,
      List<String> keys) {
    SentSpec perhaps() {
      return new SentSpec(call, false, step, done, kind, connection, inTransaction, fate, keys);
    }

    SentSpec doneAt(long moment) {
      return new SentSpec(call, sure, step, moment, kind, connection, inTransaction, fate, keys);
    }

    SentSpec on(int otherConnection) {
      return new SentSpec(call, sure, step, done, kind, otherConnection, inTransaction, fate, keys);
    }

    SentSpec withinTransaction() {
      return new SentSpec(call, sure, step, done, kind, connection, true, fate, keys);
    }

    SentSpec ends(Wire.Fate value) {
      return new SentSpec(call, sure, step, done, kind, connection, inTransaction, value, keys);
    }

    SentSpec keys(String... values) {
      return new SentSpec(
          call, sure, step, done, kind, connection, inTransaction, fate, List.of(values));
    }

    Wire.Sent toSent() {
      return new Wire.Sent(
          call, sure, step, done, kind, connection, inTransaction, fate, keys, kind.name());
    }
  }

  record CallSpec(
      String user,
      long start,
      long end,
      @Nullable IssueOutcome outcome,
      Call.Phase phase,
      long coupon,
      @Nullable String error,
      boolean cutOff,
      @Nullable Boolean rowAtEnd,
      @Nullable Boolean wroteRow) {
    CallSpec(String user, long start, long end, @Nullable IssueOutcome outcome) {
      this(user, start, end, outcome, Call.Phase.SALE, COUPON, null, false, null, null);
    }

    CallSpec phase(Call.Phase value) {
      return new CallSpec(
          user, start, end, outcome, value, coupon, error, cutOff, rowAtEnd, wroteRow);
    }

    CallSpec ofOtherCoupon() {
      return new CallSpec(
          user, start, end, outcome, phase, OTHER_COUPON, error, cutOff, rowAtEnd, wroteRow);
    }

    CallSpec threw(String value) {
      return new CallSpec(user, start, end, null, phase, coupon, value, cutOff, rowAtEnd, wroteRow);
    }

    CallSpec wasCutOff() {
      return new CallSpec(
          user, start, Call.NEVER, null, phase, coupon, error, true, rowAtEnd, wroteRow);
    }

    CallSpec rowAtEnd(boolean value) {
      return new CallSpec(user, start, end, outcome, phase, coupon, error, cutOff, value, wroteRow);
    }

    CallSpec wroteRow(boolean value) {
      return new CallSpec(user, start, end, outcome, phase, coupon, error, cutOff, rowAtEnd, value);
    }

    Call toCall(int id, int instance) {
      return new Call(
          id, phase, user, coupon, instance, start, end, outcome, error, cutOff, rowAtEnd,
          wroteRow);
    }
  }
}
