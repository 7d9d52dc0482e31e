package io.stockproof.verification.rules;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.history.Call;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** R306 and R309: that calls end, and how. */
final class EndingRules {
  private EndingRules() {}

  static Finding oneOutcomeWithinDeadline(Evidence evidence) {
    Refusals refusals = new Refusals(evidence);
    int ended = 0;
    for (Call call : evidence.calls()) {
      if (call.cutOff()) {
        continue;
      }
      if (call.end() == Call.NEVER) {
        return Finding.violated(
            Rule.R306,
            "call " + call.id() + " of user " + call.userId() + " did not end",
            call.start());
      }
      if (call.error() != null && refusals.onlyRefusalPossible(call)) {
        return Finding.violated(
            Rule.R306,
            "expected refusal of user " + call.userId() + " threw " + call.error(),
            call.end());
      }
      ended++;
    }
    return ended == 0
        ? Finding.notReached(Rule.R306, "no call was left to end")
        : Finding.pass(Rule.R306, ended + " calls ended");
  }

  static Finding calmEndsInClearAnswers(Evidence evidence) {
    if (evidence.history().faulted()) {
      return Finding.notReached(Rule.R309, "faults were injected");
    }
    List<Call> calls = evidence.calls();
    for (Call call : calls) {
      if (call.outcome() == IssueOutcome.UNKNOWN || call.error() != null) {
        String told = call.error() != null ? call.error() : "UNKNOWN";
        return Finding.violated(Rule.R309, "user " + call.userId() + ": " + told, call.end());
      }
    }
    return calls.isEmpty()
        ? Finding.notReached(Rule.R309, "nobody asked")
        : Finding.pass(Rule.R309, calls.size() + " calls");
  }

  /** When a plain refusal was all that could follow, by what had been told before. */
  private static final class Refusals {
    private final long total;
    private final Map<String, Long> firstIssuedEnd = new HashMap<>();
    private final long[] issuedEnds;

    Refusals(Evidence evidence) {
      total = evidence.total();
      for (Call call : evidence.told(IssueOutcome.ISSUED)) {
        firstIssuedEnd.merge(call.userId(), call.end(), Math::min);
      }
      issuedEnds = firstIssuedEnd.values().stream().mapToLong(Long::longValue).sorted().toArray();
    }

    /**
     * The caller had been told ISSUED before the call began, or as many users as there are units.
     */
    boolean onlyRefusalPossible(Call call) {
      boolean holder = firstIssuedEnd.getOrDefault(call.userId(), Long.MAX_VALUE) < call.start();
      return holder || Ascending.countBelow(issuedEnds, call.start()) >= total;
    }
  }
}
