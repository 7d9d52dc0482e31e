package io.stockproof.verification.rules;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** R201 to R204 and R206: what is left when nothing is in flight. */
final class RestRules {
  private static final String NO_REST = "rest was not reached";

  private RestRules() {}

  static Finding rowsAndAnswersAgree(Evidence evidence) {
    StoreState atRest = evidence.history().atRest();
    if (atRest == null) {
      return Finding.undecided(Rule.R201, NO_REST);
    }
    Finding sale = rowsAndAnswersAgree(evidence.calls(Call.Phase.SALE), atRest);
    StoreState after = evidence.history().afterProbes();
    if (sale.verdict() == Verdict.VIOLATED || after == null) {
      return sale;
    }
    return rowsAndAnswersAgree(evidence.calls(), after);
  }

  private static Finding rowsAndAnswersAgree(List<Call> calls, StoreState state) {
    Map<String, Long> given = new HashMap<>();
    Map<String, Boolean> mayHaveWritten = new HashMap<>();
    for (Call call : calls) {
      if (Boolean.TRUE.equals(call.wroteRow()) && !Evidence.mayHaveWritten(call)) {
        return Finding.violated(
            Rule.R201, "user " + call.userId() + " got a row, told " + call.outcome(), call.end());
      }
      given.merge(call.userId(), Evidence.isGiven(call) ? 1L : 0L, Long::sum);
      mayHaveWritten.merge(call.userId(), Evidence.mayHaveWritten(call), Boolean::logicalOr);
    }
    for (Map.Entry<String, Long> user : given.entrySet()) {
      long rows = state.rowsByUser().getOrDefault(user.getKey(), 0L);
      if (user.getValue() > rows) {
        return Finding.violated(
            Rule.R201,
            "user " + user.getKey() + " told ISSUED " + user.getValue() + " times, rows " + rows);
      }
    }
    for (Map.Entry<String, Long> rows : state.rowsByUser().entrySet()) {
      if (!mayHaveWritten.getOrDefault(rows.getKey(), false)) {
        return Finding.violated(
            Rule.R201, "user " + rows.getKey() + " has a row, and was only refused");
      }
    }
    return state.rows() > 0
        ? Finding.pass(Rule.R201, state.rows() + " rows against " + calls.size() + " calls")
        : Finding.notReached(Rule.R201, "nothing was issued");
  }

  static Finding noUnitLeaked(Evidence evidence) {
    StoreState atRest = evidence.history().atRest();
    if (atRest == null) {
      return Finding.undecided(Rule.R202, NO_REST);
    }
    if (atRest.rows() >= evidence.total()) {
      return Finding.pass(Rule.R202, "every unit is a row");
    }
    StoreState after = evidence.history().afterProbes();
    Set<String> fresh = new HashSet<>();
    evidence.calls(Call.Phase.FRESH).forEach(call -> fresh.add(call.userId()));
    if (after == null || fresh.isEmpty()) {
      return Finding.notReached(Rule.R202, "no fresh user asked at rest");
    }
    long left = evidence.total() - after.rows();
    if (left <= 0) {
      return Finding.pass(Rule.R202, "fresh users got all that was left");
    }
    long refused = fresh.stream().filter(user -> !after.rowsByUser().containsKey(user)).count();
    return refused == 0
        ? Finding.notReached(Rule.R202, "fewer fresh users asked than units were left")
        : Finding.violated(
            Rule.R202,
            counted(left, "unit")
                + " nobody has and "
                + counted(refused, "fresh user")
                + " did not get");
  }

  static Finding gateAgreesWithRows(Evidence evidence) {
    if (!evidence.gated()) {
      return Finding.notReached(Rule.R203, "there is no gate");
    }
    if (evidence.history().atRest() == null) {
      return Finding.undecided(Rule.R203, NO_REST);
    }
    for (StoreState state : statesAtRest(evidence)) {
      String difference = gateDifference(evidence, state);
      if (difference != null) {
        return Finding.violated(Rule.R203, difference);
      }
    }
    return evidence.calls().isEmpty()
        ? Finding.notReached(Rule.R203, "nobody asked")
        : Finding.pass(Rule.R203, "gate and rows at rest");
  }

  private static List<StoreState> statesAtRest(Evidence evidence) {
    return Stream.of(evidence.history().atRest(), evidence.history().afterProbes())
        .filter(Objects::nonNull)
        .toList();
  }

  private static @Nullable String gateDifference(Evidence evidence, StoreState state) {
    long remaining = Math.max(0, evidence.total() - state.rows());
    if (state.gateStock() == StoreState.MISSING) {
      return "gate stock missing, " + counted(remaining, "unit") + " to give";
    }
    if (state.gateStock() != remaining) {
      return "gate stock " + state.gateStock() + ", total − rows = " + remaining;
    }
    if (!state.gateUsers().equals(state.rowsByUser().keySet())) {
      return "gate users " + state.gateUsers().size() + ", row users " + state.rowsByUser().size();
    }
    return state.reservations().isEmpty()
        ? null
        : state.reservations().size() + " reservations open at rest";
  }

  static Finding compensationExactlyOnce(Evidence evidence) {
    if (!evidence.gated()) {
      return Finding.notReached(Rule.R204, "there is no gate");
    }
    StoreState last = evidence.lastAtRest();
    if (last == null) {
      return Finding.undecided(Rule.R204, NO_REST);
    }
    long compensations = compensations(inOrder(evidence, last));
    if (compensations == 0) {
      return Finding.notReached(Rule.R204, "no unit was given back");
    }
    if (last.gateStock() == StoreState.MISSING) {
      return Finding.notReached(Rule.R204, "the gate stock is gone: what was given back is, too");
    }
    Set<String> members = new HashSet<>(last.gateUsers());
    members.addAll(last.reservations());
    long expected = Math.max(0, evidence.total() - members.size());
    return last.gateStock() == expected
        ? Finding.pass(Rule.R204, compensations + " compensations seen")
        : Finding.violated(
            Rule.R204, "gate stock " + last.gateStock() + ", total − gate users = " + expected);
  }

  /** The states in order of time, to the last at rest: also what was done on the way there. */
  private static List<StoreState> inOrder(Evidence evidence, StoreState last) {
    Stream<StoreState> books = evidence.history().books().stream().map(Books::state);
    boolean among = evidence.timeline() != null && evidence.history().afterProbes() == null;
    return (among ? books : Stream.concat(books, Stream.of(last))).toList();
  }

  /** Users seen in the gate who were later seen gone from it. */
  private static long compensations(List<StoreState> states) {
    long gone = 0;
    Set<String> previous = Set.of();
    for (StoreState state : states) {
      Set<String> members = new HashSet<>(state.gateUsers());
      members.addAll(state.reservations());
      gone += previous.stream().filter(user -> !members.contains(user)).count();
      previous = members;
    }
    return gone;
  }

  static Finding soldCompletely(Evidence evidence) {
    StoreState atRest = evidence.history().atRest();
    List<Call> sale = evidence.calls(Call.Phase.SALE);
    long users = sale.stream().map(Call::userId).distinct().count();
    if (atRest == null) {
      return Finding.undecided(Rule.R206, NO_REST);
    }
    if (evidence.history().faulted() || users < sale.size() || users < evidence.total()) {
      return Finding.notReached(Rule.R206, "not one calm attempt each with demand ≥ total");
    }
    // What is out of service while it is made right again is not contention.
    long turnedAway =
        sale.stream()
            .filter(call -> call.outcome() == IssueOutcome.UNAVAILABLE)
            .filter(evidence::recoveredDuring)
            .count();
    return atRest.rows() + turnedAway >= evidence.total()
        ? Finding.pass(Rule.R206, users + " users asked once each")
        : Finding.violated(
            Rule.R206,
            counted(evidence.total() - atRest.rows(), "unit")
                + " left, "
                + counted(users, "user")
                + " asked");
  }

  /** {@code 1 unit}, {@code 2 units}. */
  private static String counted(long number, String one) {
    return number + " " + one + (number == 1 ? "" : "s");
  }
}
