package io.stockproof.verification.explore;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.history.Call;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * How often a search met the interesting states at all: a search that never did proves little. Each
 * counts once a run.
 */
final class Goals {

  private final Map<String, Long> met = new LinkedHashMap<>();

  Goals() {
    for (String goal :
        new String[] {
          "two-past-gate",
          "lock-wait",
          "retry-after-error",
          "compensation",
          "fault",
          "crash",
          "refused"
        }) {
      met.put(goal, 0L);
    }
  }

  void count(Run run) {
    Set<String> now = new HashSet<>();
    Set<Integer> pastGate = new HashSet<>();
    Set<Integer> failed = new HashSet<>();
    Set<Integer> inLedger = new HashSet<>();
    for (Step step : run.steps()) {
      Words words = step.words();
      if (words == null) {
        continue;
      }
      boolean write =
          !words.redis()
              && step.footprint().accesses().stream().anyMatch(a -> a.mode() != Access.Mode.READ);
      if (words.redis() && !Footprints.readsOnly(words) && !inLedger.contains(step.actor())) {
        pastGate.add(step.actor());
      } else if (words.redis() && !Footprints.readsOnly(words) && failed.contains(step.actor())) {
        now.add("compensation");
      }
      if (write) {
        if (pastGate.size() > 1 && inLedger.isEmpty()) {
          now.add("two-past-gate");
        }
        inLedger.add(step.actor());
      }
      if (failed.contains(step.actor()) && write) {
        now.add("retry-after-error");
      }
      if (step.fault() != null) {
        now.add(step.fault() == CommandFault.CRASH ? "crash" : "fault");
        failed.add(step.actor());
      }
      if (step.reply() != null && step.reply().error()) {
        failed.add(step.actor());
      }
      if (!step.waiting().isEmpty()) {
        now.add("lock-wait");
      }
    }
    if (run.history() != null) {
      for (Call call : run.history().calls(Call.Phase.SALE)) {
        if (call.outcome() == IssueOutcome.SOLD_OUT || call.outcome() == IssueOutcome.DUPLICATE) {
          now.add("refused");
        }
      }
    }
    now.forEach(goal -> met.merge(goal, 1L, Long::sum));
  }

  Map<String, Long> met() {
    return met;
  }
}
