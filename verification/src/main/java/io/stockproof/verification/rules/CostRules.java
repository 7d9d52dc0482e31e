package io.stockproof.verification.rules;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** R401 and R402: what a refusal costs the database. */
final class CostRules {
  private static final String NOT_WATCHED = "needs the commands of each call: explored runs";

  private CostRules() {}

  static Finding soldOutWritesNothing(Evidence evidence) {
    return judge(Rule.R401, evidence, Set.of(Wire.Kind.WRITE), Set.of(Wire.Kind.OTHER));
  }

  static Finding soldOutLeavesDatabaseAlone(Evidence evidence) {
    Set<Wire.Kind> any = Set.of(Wire.Kind.READ, Wire.Kind.WRITE, Wire.Kind.END, Wire.Kind.OTHER);
    return judge(Rule.R402, evidence, any, Set.of());
  }

  /**
   * Judges every SOLD_OUT of a calm run.
   *
   * @param breaking kinds that break the rule
   * @param doubtful kinds that may break it: then nothing is said
   */
  private static Finding judge(
      Rule rule, Evidence evidence, Set<Wire.Kind> breaking, Set<Wire.Kind> doubtful) {
    if (evidence.history().wire() == null) {
      return Finding.notReached(rule, NOT_WATCHED);
    }
    if (!evidence.history().calm()) {
      return Finding.notReached(rule, "the run was not calm");
    }
    List<Call> soldOut =
        evidence.calls(Call.Phase.SALE).stream()
            .filter(call -> call.outcome() == IssueOutcome.SOLD_OUT)
            .toList();
    int judged = 0;
    for (Call call : soldOut) {
      List<Wire.Sent> own = evidence.commands().until(call, call.end());
      for (Wire.Sent sent : own) {
        if (sent.sure() && breaking.contains(sent.kind())) {
          return Finding.violated(
              rule, "user " + call.userId() + " told SOLD_OUT by " + texts(own), sent.step());
        }
      }
      boolean sure =
          own.stream().noneMatch(sent -> doubtful.contains(sent.kind()))
              && !evidence.commands().guessedDuring(call);
      judged += sure ? 1 : 0;
    }
    if (soldOut.isEmpty()) {
      return Finding.notReached(rule, "nobody was told SOLD_OUT");
    }
    return judged == 0
        ? Finding.notReached(rule, "whose commands they were is not certain")
        : Finding.pass(rule, judged + " of " + soldOut.size() + " refusals");
  }

  private static String texts(List<Wire.Sent> sent) {
    List<String> names = new ArrayList<>();
    sent.forEach(one -> names.add(one.name()));
    return String.join(", ", names);
  }
}
