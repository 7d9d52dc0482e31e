package io.stockproof.verification.rules;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** R301 to R304 and R308: whether what callers were told was true when they were told. */
final class AnswerRules {
  private AnswerRules() {}

  static Finding issuedMeansDurable(Evidence evidence) {
    return judgeEach(
        Rule.R301,
        evidence.told(IssueOutcome.ISSUED),
        evidence.rowSightings()::heldAtEnd,
        call -> "user " + call.userId() + " told ISSUED, no row yet");
  }

  static Finding refusalWritesNothing(Evidence evidence) {
    List<Call> refused =
        evidence.calls().stream().filter(call -> !Evidence.mayHaveWritten(call)).toList();
    for (Call call : refused) {
      if (Boolean.TRUE.equals(call.wroteRow())) {
        return Finding.violated(
            Rule.R302,
            "user " + call.userId() + " told " + call.outcome() + " got a row",
            call.end());
      }
    }
    StoreState last = evidence.lastAtRest();
    if (last == null) {
      return Finding.notReached(Rule.R302, "rest was not reached");
    }
    for (Map.Entry<String, List<Call>> user : evidence.callsByUser().entrySet()) {
      if (last.rowsByUser().containsKey(user.getKey())
          && user.getValue().stream().noneMatch(Evidence::mayHaveWritten)) {
        Call call = user.getValue().get(0);
        return Finding.violated(
            Rule.R302,
            "user " + user.getKey() + " told " + call.outcome() + " got a row",
            call.end());
      }
    }
    return refused.isEmpty()
        ? Finding.notReached(Rule.R302, "nobody was refused")
        : Finding.pass(Rule.R302, refused.size() + " refusals");
  }

  static Finding soldOutOnlyWhenNothingIsLeft(Evidence evidence) {
    return judgeEach(
        Rule.R303,
        evidence.told(IssueOutcome.SOLD_OUT),
        evidence.fullness()::everFullDuring,
        call -> "user " + call.userId() + " told SOLD_OUT with units left");
  }

  static Finding duplicateOnlyToAHolder(Evidence evidence) {
    return judgeEach(
        Rule.R304,
        evidence.told(IssueOutcome.DUPLICATE),
        evidence.rowSightings()::heldAtEnd,
        call -> "user " + call.userId() + " told DUPLICATE without a row");
  }

  private static Finding judgeEach(
      Rule rule, List<Call> calls, Function<Call, Truth> truth, Function<Call, String> broken) {
    if (calls.isEmpty()) {
      return Finding.notReached(rule, "nobody was told so");
    }
    List<Call> violations = new ArrayList<>();
    int judged = 0;
    for (Call call : calls) {
      Truth held = truth.apply(call);
      if (held == Truth.NO) {
        violations.add(call);
      }
      judged += held == Truth.UNKNOWN ? 0 : 1;
    }
    if (!violations.isEmpty()) {
      Call first = violations.get(0);
      String more = violations.size() > 1 ? " (" + violations.size() + " times)" : "";
      return Finding.violated(rule, broken.apply(first) + more, first.end());
    }
    return judged == 0
        ? Finding.notReached(rule, "needs the books after every command")
        : Finding.pass(rule, judged + " of " + calls.size() + " answers judged");
  }

  /**
   * A SOLD_OUT for which R303 fails, told to a call that ran beside another, while units remained
   * to the end: the loser of a race was sent away for good.
   */
  static Finding contentionIsNotSoldOut(Evidence evidence) {
    StoreState atRest = evidence.history().atRest();
    if (atRest == null) {
      return Finding.notReached(Rule.R308, "rest was not reached");
    }
    boolean unitsRemain = atRest.rows() < evidence.total();
    int judged = 0;
    for (Call call : besideOthers(evidence.calls(Call.Phase.SALE))) {
      if (call.outcome() != IssueOutcome.SOLD_OUT) {
        continue;
      }
      Truth full = evidence.fullness().everFullDuring(call);
      if (full == Truth.NO && unitsRemain) {
        long left = evidence.total() - atRest.rows();
        return Finding.violated(
            Rule.R308,
            "user " + call.userId() + " told SOLD_OUT, " + left + " never sold",
            call.end());
      }
      judged += full == Truth.UNKNOWN && unitsRemain ? 0 : 1;
    }
    return judged == 0
        ? Finding.notReached(Rule.R308, "no SOLD_OUT was told beside another call")
        : Finding.pass(Rule.R308, judged + " answers judged");
  }

  /** Calls during which another call was in progress, in order of their start. */
  private static List<Call> besideOthers(List<Call> calls) {
    List<Call> byStart =
        calls.stream().sorted((a, b) -> Long.compare(a.start(), b.start())).toList();
    List<Call> beside = new ArrayList<>();
    long latestEnd = Long.MIN_VALUE;
    for (int i = 0; i < byStart.size(); i++) {
      Call call = byStart.get(i);
      boolean withEarlier = latestEnd > call.start();
      boolean withLater = i + 1 < byStart.size() && byStart.get(i + 1).start() < call.end();
      if (withEarlier || withLater) {
        beside.add(call);
      }
      latestEnd = Math.max(latestEnd, call.end());
    }
    return beside;
  }
}
