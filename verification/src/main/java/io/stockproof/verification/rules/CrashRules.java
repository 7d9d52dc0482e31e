package io.stockproof.verification.rules;

import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Call;
import java.util.List;

/** R503: what is left after an instance died under a call. */
final class CrashRules {
  private CrashRules() {}

  static Finding crashLosesAndDoublesNothing(Evidence evidence) {
    List<Call> cutOff = evidence.calls().stream().filter(Call::cutOff).toList();
    StoreState atRest = evidence.history().atRest();
    StoreState last = evidence.lastAtRest();
    if (cutOff.isEmpty()) {
      return Finding.notReached(Rule.R503, "no call was cut off");
    }
    if (atRest == null || last == null) {
      return Finding.notReached(Rule.R503, "rest was not reached");
    }
    for (Call call : cutOff) {
      long rows = last.rowsByUser().getOrDefault(call.userId(), 0L);
      if (rows > 1) {
        return Finding.violated(
            Rule.R503, "user " + call.userId() + " has " + rows + (rows == 1 ? " row" : " rows"));
      }
    }
    if (atRest.rows() <= evidence.total() && last.rows() > evidence.total()) {
      return Finding.violated(Rule.R503, "a unit was given twice: " + last.rows() + " rows");
    }
    Finding leak = RestRules.noUnitLeaked(evidence);
    return switch (leak.verdict()) {
      case VIOLATED -> Finding.violated(Rule.R503, leak.detail());
      case PASS -> Finding.pass(Rule.R503, cutOff.size() + " calls cut off");
      default -> Finding.notReached(Rule.R503, leak.detail());
    };
  }
}
