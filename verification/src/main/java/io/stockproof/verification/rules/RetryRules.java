package io.stockproof.verification.rules;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Call;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** R305 and R307: what asking again does. */
final class RetryRules {
  private RetryRules() {}

  static Finding unavailableLeavesNothing(Evidence evidence) {
    StoreState atRest = evidence.history().atRest();
    if (atRest == null) {
      return Finding.notReached(Rule.R305, "rest was not reached");
    }
    int judged = 0;
    for (Map.Entry<String, List<Call>> user : evidence.callsByUser().entrySet()) {
      if (!onlyUnavailable(phase(user.getValue(), Call.Phase.SALE))) {
        continue;
      }
      judged++;
      String left = leftBehind(user.getKey(), atRest);
      if (left == null) {
        left = stillRefused(evidence, user.getKey(), user.getValue(), atRest);
      }
      if (left != null) {
        return Finding.violated(Rule.R305, "user " + user.getKey() + " told UNAVAILABLE " + left);
      }
    }
    return judged == 0
        ? Finding.notReached(Rule.R305, "nobody was told UNAVAILABLE and nothing else")
        : Finding.pass(Rule.R305, judged + " users told UNAVAILABLE");
  }

  private static boolean onlyUnavailable(List<Call> calls) {
    return !calls.isEmpty()
        && calls.stream().allMatch(call -> call.outcome() == IssueOutcome.UNAVAILABLE);
  }

  private static @Nullable String leftBehind(String user, StoreState atRest) {
    if (atRest.rowsByUser().containsKey(user)) {
      return "has a row";
    }
    if (atRest.gateUsers().contains(user)) {
      return "is still in the gate";
    }
    return atRest.reservations().contains(user) ? "still has a reservation" : null;
  }

  /** Asking again at rest must give the unit, as long as one is left. */
  private static @Nullable String stillRefused(
      Evidence evidence, String user, List<Call> calls, StoreState atRest) {
    List<Call> again = phase(calls, Call.Phase.ASKS_AGAIN);
    StoreState after = evidence.history().afterProbes();
    if (again.isEmpty() || after == null || after.rowsByUser().containsKey(user)) {
      return null;
    }
    Call last = again.get(again.size() - 1);
    boolean mayBeSoldOut =
        last.outcome() == IssueOutcome.SOLD_OUT
            && evidence.fullness().everFullDuring(last) != Truth.NO;
    boolean mayBeClosed = last.outcome() == IssueOutcome.NOT_OPEN;
    boolean unitsLeft = atRest.rows() < evidence.total();
    return unitsLeft && !mayBeSoldOut && !mayBeClosed
        ? "asked again at rest and was told " + last.outcome()
        : null;
  }

  static Finding askingAgainIsHarmless(Evidence evidence) {
    Finding twice = issuedAfterIssued(evidence);
    if (twice != null) {
      return twice;
    }
    StoreState atRest = evidence.history().atRest();
    if (atRest == null) {
      return Finding.notReached(Rule.R307, "rest was not reached");
    }
    int holders = 0;
    for (Map.Entry<String, List<Call>> user : evidence.callsByUser().entrySet()) {
      List<Call> again = phase(user.getValue(), Call.Phase.ASKS_AGAIN);
      if (again.isEmpty()) {
        continue;
      }
      String broken = secondUnit(evidence, user.getKey(), atRest);
      if (broken == null && atRest.rowsByUser().containsKey(user.getKey())) {
        holders++;
        broken = wrongAnswerToHolder(evidence, again.get(again.size() - 1));
      }
      if (broken != null) {
        return Finding.violated(
            Rule.R307, "user " + user.getKey() + " asked again: " + broken, again.get(0).end());
      }
    }
    return holders == 0
        ? Finding.notReached(Rule.R307, "no holder asked again at rest")
        : Finding.pass(Rule.R307, holders + " holders asked again");
  }

  /** A user told ISSUED by a call that began after another had told them ISSUED. */
  private static @Nullable Finding issuedAfterIssued(Evidence evidence) {
    for (Map.Entry<String, List<Call>> user : evidence.callsByUser().entrySet()) {
      List<Call> given = user.getValue().stream().filter(Evidence::isGiven).toList();
      if (given.size() < 2) {
        continue;
      }
      long firstEnd = given.stream().mapToLong(Call::end).min().orElseThrow();
      for (Call call : given) {
        if (call.start() > firstEnd) {
          return Finding.violated(
              Rule.R307, "user " + user.getKey() + " asked again: ISSUED again", call.end());
        }
      }
    }
    return null;
  }

  private static @Nullable String secondUnit(Evidence evidence, String user, StoreState atRest) {
    StoreState after = evidence.history().afterProbes();
    if (after == null) {
      return null;
    }
    long rows = after.rowsByUser().getOrDefault(user, 0L);
    return rows > 1 && rows > atRest.rowsByUser().getOrDefault(user, 0L)
        ? rows + " rows now"
        : null;
  }

  private static @Nullable String wrongAnswerToHolder(Evidence evidence, Call last) {
    if (last.outcome() == IssueOutcome.DUPLICATE) {
      return null;
    }
    if (last.outcome() == IssueOutcome.SOLD_OUT
        && evidence.fullness().everFullDuring(last) != Truth.NO) {
      return null;
    }
    return "holder told " + (last.outcome() != null ? last.outcome() : last.error());
  }

  private static List<Call> phase(List<Call> calls, Call.Phase phase) {
    return calls.stream().filter(call -> call.phase() == phase).toList();
  }
}
