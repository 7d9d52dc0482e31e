package io.stockproof.verification.rules;

import static io.stockproof.verification.Verdict.INCONCLUSIVE;
import static io.stockproof.verification.Verdict.PASS;
import static io.stockproof.verification.Verdict.VIOLATED;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import io.stockproof.verification.history.Wire;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules, those on stores and answers here, written down from the words of SPEC.md for histories
 * with the books after every command: each moment, each user, each call looked at, whatever that
 * costs. Shares nothing with the checkers.
 */
final class Reference {
  /** Nothing happens later. */
  private static final long FOREVER = 1_000;

  /** They say how a coupon is sold, and so nothing of one that is not on sale. */
  private static final Set<Rule> OF_A_SALE =
      EnumSet.of(
          Rule.R202, Rule.R203, Rule.R204, Rule.R206, Rule.R305, Rule.R307, Rule.R308, Rule.R503);

  private final History history;
  private final long total;
  private final List<Call> calls;
  private final List<StoreState> states;
  private final @Nullable StoreState rest;
  private final @Nullable StoreState after;

  Reference(History history) {
    this.history = history;
    total = history.scenario().total();
    calls =
        history.calls().stream()
            .filter(call -> call.phase().asks())
            .filter(call -> call.couponId() == history.scenario().couponId())
            .toList();
    rest = history.atRest();
    after = history.afterProbes();
    states =
        Stream.concat(history.books().stream().map(Books::state), Stream.of(rest, after))
            .filter(Objects::nonNull)
            .toList();
  }

  /**
   * What the words of a rule say.
   *
   * @throws IllegalArgumentException if nothing judges the rule today
   */
  Verdict verdict(Rule rule) {
    boolean onSale = history.scenario().window() == Scenario.Window.OPEN;
    if (!onSale && OF_A_SALE.contains(rule)) {
      return INCONCLUSIVE;
    }
    return switch (rule) {
      case R101 -> reached(any(s -> s.rows() > total), calls.size() > total && any(this::hasRow));
      case R102 -> reached(any(s -> users(s).anyMatch(u -> rows(s, u) > 1)), holderAskedTwice());
      case R103 ->
          reached(
              any(s -> s.counter() >= 0 && s.counter() != s.rows()),
              any(s -> s.counter() >= 0) && any(this::hasRow));
      case R104 ->
          reached(
              any(s -> s.gateStock() != StoreState.MISSING && s.gateStock() < 0),
              any(s -> s.gateStock() == 0));
      case R105 -> apart();
      case R201 -> rowsAndAnswers();
      case R202 -> leaked();
      case R203 -> gateAtRest();
      case R204 -> compensated();
      case R206 -> soldCompletely();
      case R301 -> answers(IssueOutcome.ISSUED, this::heldAtEnd);
      case R302 -> refusals();
      case R303 -> answers(IssueOutcome.SOLD_OUT, this::everFull);
      case R304 -> answers(IssueOutcome.DUPLICATE, this::everHolder);
      case R305 -> unavailable();
      case R306 -> endings();
      case R307 -> again();
      case R308 -> contention();
      case R309 -> calm();
      case R503 -> crash();
      case R401, R402, R403, R504 -> onTheWire(rule);
      case R501, R502, R601, R602, R603, R701 ->
          new ConditionReference(history, this).verdict(rule);
      case R205, R310, R404 ->
          throw new IllegalArgumentException("rule must be judged today, was " + rule);
    };
  }

  private Verdict onTheWire(Rule rule) {
    Wire wire = history.wire();
    return wire == null ? INCONCLUSIVE : new WireReference(history, wire).verdict(rule);
  }

  boolean anyRow() {
    return any(this::hasRow);
  }

  private Verdict apart() {
    List<Call> besides =
        history.calls().stream()
            .filter(call -> call.phase().asks())
            .filter(call -> call.couponId() != history.scenario().couponId())
            .toList();
    boolean broken = false;
    for (Call other : besides) {
      String user = other.userId();
      broken |= of(user).isEmpty() && any(state -> rows(state, user) > 0);
      broken |=
          of(user).stream()
              .anyMatch(call -> call.outcome() == IssueOutcome.DUPLICATE && !heldAtEnd(call));
    }
    return reached(broken, anyRow() && besides.stream().anyMatch(Reference::given));
  }

  private static Set<String> inGate(StoreState state) {
    Set<String> users = new HashSet<>(state.gateUsers());
    users.addAll(state.reservations());
    return users;
  }

  private Verdict compensated() {
    StoreState last = last();
    List<StoreState> inOrder =
        Stream.concat(history.books().stream().map(Books::state), Stream.ofNullable(after))
            .toList();
    boolean left = false;
    for (int i = 0; i < inOrder.size(); i++) {
      for (StoreState later : inOrder.subList(i, inOrder.size())) {
        left |= !inGate(later).containsAll(inGate(inOrder.get(i)));
      }
    }
    if (last == null || !left || last.gateStock() == StoreState.MISSING) {
      return INCONCLUSIVE;
    }
    return reached(last.gateStock() != Math.max(0, total - inGate(last).size()), true);
  }

  private static Verdict reached(boolean broken, boolean premise) {
    return broken ? VIOLATED : premise ? PASS : INCONCLUSIVE;
  }

  private boolean any(Predicate<StoreState> test) {
    return states.stream().anyMatch(test);
  }

  private boolean hasRow(StoreState state) {
    return state.rows() > 0;
  }

  private static Stream<String> users(StoreState state) {
    return state.rowsByUser().keySet().stream();
  }

  private static long rows(StoreState state, String user) {
    return state.rowsByUser().getOrDefault(user, 0L);
  }

  private static boolean given(Call call) {
    return call.outcome() == IssueOutcome.ISSUED || call.outcome() == IssueOutcome.ACCEPTED;
  }

  /** A refusal or UNAVAILABLE: whoever was told so was told that they have nothing of this call. */
  private static boolean refused(Call call) {
    return call.outcome() != null && !given(call) && call.outcome() != IssueOutcome.UNKNOWN;
  }

  private List<Call> of(String user) {
    return calls.stream().filter(call -> call.userId().equals(user)).toList();
  }

  private List<Call> phase(Call.Phase phase) {
    return calls.stream().filter(call -> call.phase() == phase).toList();
  }

  private @Nullable StoreState last() {
    return after != null ? after : rest;
  }

  private boolean holderAskedTwice() {
    StoreState last = last();
    return last != null && users(last).anyMatch(user -> of(user).size() > 1);
  }

  /** The states at every moment of a call, one moment after the other. */
  private List<StoreState> during(Call call) {
    List<StoreState> seen = new ArrayList<>();
    long end = Math.min(call.end(), FOREVER);
    for (long moment = call.start(); moment <= end; moment++) {
      seen.add(at(moment));
    }
    return seen;
  }

  private StoreState at(long moment) {
    StoreState now = history.books().get(0).state();
    for (Books books : history.books()) {
      if (books.moment() <= moment) {
        now = books.state();
      }
    }
    return now;
  }

  private boolean everFull(Call call) {
    return during(call).stream()
        .anyMatch(
            state -> {
              Set<String> others = new HashSet<>(state.reservations());
              others.addAll(state.gateUsers());
              others.removeIf(user -> rows(state, user) > 0);
              others.remove(call.userId());
              return state.rows() + others.size() >= total;
            });
  }

  private boolean everHolder(Call call) {
    return during(call).stream().anyMatch(state -> rows(state, call.userId()) > 0);
  }

  private boolean heldAtEnd(Call call) {
    return rows(at(call.end()), call.userId()) > 0;
  }

  private Verdict answers(IssueOutcome told, Predicate<Call> holds) {
    List<Call> judged = calls.stream().filter(call -> call.outcome() == told).toList();
    return reached(!judged.stream().allMatch(holds), !judged.isEmpty());
  }

  private Verdict rowsAndAnswers() {
    if (rest == null) {
      return INCONCLUSIVE;
    }
    boolean broken = disagree(phase(Call.Phase.SALE), rest);
    StoreState end = Objects.requireNonNull(last());
    return reached(broken || (after != null && disagree(calls, after)), end.rows() > 0);
  }

  private boolean disagree(List<Call> asked, StoreState state) {
    Set<String> everybody = new HashSet<>(state.rowsByUser().keySet());
    asked.forEach(call -> everybody.add(call.userId()));
    for (String user : everybody) {
      List<Call> own = asked.stream().filter(call -> call.userId().equals(user)).toList();
      boolean onlyRefused = own.stream().allMatch(Reference::refused);
      if (own.stream().filter(Reference::given).count() > rows(state, user)
          || (rows(state, user) > 0 && onlyRefused)) {
        return true;
      }
    }
    return asked.stream().anyMatch(c -> refused(c) && Boolean.TRUE.equals(c.wroteRow()));
  }

  private Verdict leaked() {
    if (rest == null) {
      return INCONCLUSIVE;
    }
    if (rest.rows() >= total) {
      return PASS;
    }
    List<Call> fresh = phase(Call.Phase.FRESH);
    if (after == null || fresh.isEmpty()) {
      return INCONCLUSIVE;
    }
    boolean allThatAskedGot = fresh.stream().allMatch(call -> rows(after, call.userId()) > 0);
    return after.rows() >= total ? PASS : allThatAskedGot ? INCONCLUSIVE : VIOLATED;
  }

  private boolean gated() {
    return any(
        s ->
            s.gateStock() != StoreState.MISSING
                || !s.gateUsers().isEmpty()
                || !s.reservations().isEmpty());
  }

  private Verdict gateAtRest() {
    if (!gated() || rest == null) {
      return INCONCLUSIVE;
    }
    boolean broken =
        Stream.of(rest, after)
            .filter(Objects::nonNull)
            .anyMatch(
                s ->
                    s.gateStock() != Math.max(0, total - s.rows())
                        || !s.gateUsers().equals(s.rowsByUser().keySet())
                        || !s.reservations().isEmpty());
    return reached(broken, !calls.isEmpty());
  }

  private Verdict soldCompletely() {
    List<Call> sale = phase(Call.Phase.SALE);
    long asking = sale.stream().map(Call::userId).distinct().count();
    boolean premise =
        rest != null && !history.faulted() && asking == sale.size() && asking >= total;
    List<Call> recoveries = history.calls(Call.Phase.RECOVERS);
    long away =
        sale.stream()
            .filter(c -> c.outcome() == IssueOutcome.UNAVAILABLE)
            .filter(
                c -> recoveries.stream().anyMatch(r -> r.end() > c.start() && r.start() < c.end()))
            .count();
    return premise
        ? reached(Objects.requireNonNull(rest).rows() < total - away, true)
        : INCONCLUSIVE;
  }

  private Verdict refusals() {
    if (calls.stream().anyMatch(c -> refused(c) && Boolean.TRUE.equals(c.wroteRow()))) {
      return VIOLATED;
    }
    StoreState last = last();
    if (last == null) {
      return INCONCLUSIVE;
    }
    boolean broken =
        users(last)
            .anyMatch(
                user -> !of(user).isEmpty() && of(user).stream().allMatch(Reference::refused));
    return reached(broken, calls.stream().anyMatch(Reference::refused));
  }

  private Verdict unavailable() {
    if (rest == null) {
      return INCONCLUSIVE;
    }
    boolean premise = false;
    for (String user : calls.stream().map(Call::userId).distinct().toList()) {
      List<Call> sale = of(user).stream().filter(c -> c.phase() == Call.Phase.SALE).toList();
      if (sale.isEmpty() || !sale.stream().allMatch(Reference::unavailable)) {
        continue;
      }
      premise = true;
      boolean left =
          rows(rest, user) > 0
              || rest.gateUsers().contains(user)
              || rest.reservations().contains(user);
      if (left || refusedAtRest(user)) {
        return VIOLATED;
      }
    }
    return reached(false, premise);
  }

  private static boolean unavailable(Call call) {
    return call.outcome() == IssueOutcome.UNAVAILABLE;
  }

  /**
   * A unit is left and they ask again: they get it, unless it is rightly gone or closed by then.
   */
  private boolean refusedAtRest(String user) {
    List<Call> again = of(user).stream().filter(c -> c.phase() == Call.Phase.ASKS_AGAIN).toList();
    StoreState before = Objects.requireNonNull(rest);
    if (again.isEmpty() || after == null || rows(after, user) > 0 || before.rows() >= total) {
      return false;
    }
    Call last = again.get(again.size() - 1);
    boolean rightly = last.outcome() == IssueOutcome.SOLD_OUT && everFull(last);
    return !rightly && last.outcome() != IssueOutcome.NOT_OPEN;
  }

  private Verdict endings() {
    for (Call call : calls) {
      boolean never = !call.cutOff() && call.end() == Call.NEVER;
      boolean threw = !call.cutOff() && call.error() != null;
      if (never || (threw && onlyRefusalPossible(call))) {
        return VIOLATED;
      }
    }
    return reached(false, calls.stream().anyMatch(call -> !call.cutOff()));
  }

  private boolean onlyRefusalPossible(Call call) {
    Set<String> holders = new HashSet<>();
    for (Call earlier : calls) {
      if (earlier.outcome() == IssueOutcome.ISSUED && earlier.end() < call.start()) {
        holders.add(earlier.userId());
      }
    }
    return holders.contains(call.userId()) || holders.size() >= total;
  }

  private Verdict again() {
    for (Call first : calls) {
      for (Call second : of(first.userId())) {
        if (given(first) && given(second) && second.start() > first.end()) {
          return VIOLATED;
        }
      }
    }
    if (rest == null) {
      return INCONCLUSIVE;
    }
    boolean premise = false;
    for (String user : calls.stream().map(Call::userId).distinct().toList()) {
      List<Call> again = of(user).stream().filter(c -> c.phase() == Call.Phase.ASKS_AGAIN).toList();
      if (again.isEmpty()) {
        continue;
      }
      if (after != null && rows(after, user) > 1 && rows(after, user) > rows(rest, user)) {
        return VIOLATED;
      }
      if (rows(rest, user) > 0) {
        premise = true;
        Call last = again.get(again.size() - 1);
        boolean right =
            last.outcome() == IssueOutcome.DUPLICATE
                || (last.outcome() == IssueOutcome.SOLD_OUT && everFull(last));
        if (!right) {
          return VIOLATED;
        }
      }
    }
    return reached(false, premise);
  }

  private Verdict contention() {
    if (rest == null) {
      return INCONCLUSIVE;
    }
    boolean left = rest.rows() < total;
    List<Call> sale = phase(Call.Phase.SALE);
    boolean premise = false;
    for (Call call : sale) {
      boolean beside =
          sale.stream()
              .anyMatch(
                  other ->
                      other.id() != call.id()
                          && other.start() < call.end()
                          && call.start() < other.end());
      if (call.outcome() == IssueOutcome.SOLD_OUT && beside) {
        premise = true;
        if (left && !everFull(call)) {
          return VIOLATED;
        }
      }
    }
    return reached(false, premise);
  }

  private Verdict calm() {
    if (history.faulted()) {
      return INCONCLUSIVE;
    }
    boolean unclear =
        calls.stream().anyMatch(c -> c.outcome() == IssueOutcome.UNKNOWN || c.error() != null);
    return reached(unclear, !calls.isEmpty());
  }

  private Verdict crash() {
    List<Call> dead = calls.stream().filter(Call::cutOff).toList();
    StoreState last = last();
    if (dead.isEmpty() || rest == null || last == null) {
      return INCONCLUSIVE;
    }
    boolean doubled = dead.stream().anyMatch(call -> rows(last, call.userId()) > 1);
    boolean twice = rest.rows() <= total && last.rows() > total;
    return doubled || twice ? VIOLATED : leaked();
  }
}
