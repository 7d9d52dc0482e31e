package io.stockproof.verification.rules;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Capability;
import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
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

  History build() {
    List<Request> requests =
        calls.stream().map(call -> new Request(call.userId(), call.instance())).toList();
    return new History(
        new Scenario(COUPON, total, instances, requests),
        faulted,
        calls,
        books,
        atRest,
        afterProbes);
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
