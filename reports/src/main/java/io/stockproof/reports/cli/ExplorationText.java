package io.stockproof.reports.cli;

import io.stockproof.verification.Verdict;
import io.stockproof.verification.explore.Exploration;
import io.stockproof.verification.explore.FailureText;
import io.stockproof.verification.rules.Rule;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a search found, as text: its size first, then each broken rule with its picture. */
final class ExplorationText {
  private final PrintWriter out;
  private final Terminal terminal;

  ExplorationText(PrintWriter out, Terminal terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** {@code 1 class}, {@code 2 classes}. */
  static String counted(long number, String one) {
    String many = one.endsWith("s") ? one + "es" : one + "s";
    return "%,d %s".formatted(number, number == 1 ? one : many);
  }

  void print(Exploration found) {
    size(found);
    Map<String, Rule> drawn = new HashMap<>();
    for (Exploration.Result result : found.rules()) {
      Exploration.Witness witness = result.witness();
      if (result.verdict() != Verdict.VIOLATED || witness == null) {
        continue;
      }
      out.println();
      String token = witness.token().text();
      if (result.rule() == Rule.R701) {
        out.println(FailureText.head(result.rule(), result.detail()));
      } else if (drawn.putIfAbsent(token, result.rule()) == null) {
        out.println(
            FailureText.of(
                result.rule(),
                result.detail(),
                witness.token(),
                witness.run(),
                terminal.columns()));
        out.println(
            "found at run %d after %.1f s"
                .formatted(witness.foundAtRun(), witness.foundAfterSeconds()));
      } else {
        out.println(FailureText.head(result.rule(), result.detail()));
        out.println("by the run of " + drawn.getOrDefault(token, result.rule()).id());
      }
    }
    out.println();
    ids("held", found, Verdict.PASS);
    ids("not reached", found, Verdict.INCONCLUSIVE);
  }

  private void size(Exploration found) {
    out.println(
        "%s: %s in %.1f s (%.0f/s), %s, %s%n  %s"
            .formatted(
                found.subject(),
                counted(found.interleavings(), "interleaving"),
                found.seconds(),
                found.interleavingsPerSecond(),
                counted(found.classes(), "class"),
                counted(found.commandsIntercepted(), "command"),
                found.exhaustive() ? "all interleavings" : "not exhaustive"));
    found.limits().forEach(limit -> out.println("  note: " + limit));
    String goals =
        found.goals().entrySet().stream()
            .filter(goal -> goal.getValue() > 0)
            .map(goal -> goal.getKey() + " " + goal.getValue())
            .collect(Collectors.joining(", "));
    if (!goals.isEmpty()) {
      out.println("  runs with: " + goals);
    }
  }

  private void ids(String label, Exploration found, Verdict verdict) {
    List<String> ids =
        found.rules().stream()
            .filter(result -> result.verdict() == verdict)
            .map(result -> result.rule().id())
            .toList();
    if (!ids.isEmpty()) {
      terminal.printWords(out, "  " + label + ":", ids, "   ");
    }
  }
}
