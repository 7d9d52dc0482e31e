package io.stockproof.reports.cli;

import io.stockproof.verification.SubjectVerdict;
import io.stockproof.verification.SubjectVerification;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.explore.Exploration;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Prints verdicts: a line a subject, below it a line a broken rule. */
final class VerdictTable {
  private static final int NAME = 26;
  private static final int VERDICT = 13;
  private static final String INDENT = "  ";
  private static final String DETAIL_INDENT = "       ";

  private final PrintWriter out;
  private final Terminal terminal;

  VerdictTable(PrintWriter out, Terminal terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  void heading() {
    out.println(pad("subject", NAME) + pad("verdict", VERDICT) + "why");
  }

  /**
   * One subject.
   *
   * @param known what it is known to break, where it broke it
   */
  void print(String subject, Set<Rule> known, SubjectVerification.Outcome outcome) {
    SubjectVerdict verdict = outcome.verdict();
    String name = pad(subject, NAME);
    String told = coloured(verdict.verdict(), pad(verdict.verdict().name(), VERDICT));
    out.println(name + told + fit(verdict.reason(), terminal.columns() - NAME - VERDICT));
    List<Finding> broken = verdict.violations();
    int title = broken.stream().mapToInt(f -> f.rule().title().length()).max().orElse(0);
    for (Finding finding : broken) {
      printBroken(finding, known.contains(finding.rule()), title);
    }
    printPicture(broken, outcome);
    rules(verdict);
    printSkipped(verdict);
    printCoverage(outcome);
    out.println();
  }

  /** Which rules held, and which were not reached or not decided, by id. */
  void rules(SubjectVerdict verdict) {
    printIds("held", verdict, f -> f.verdict() == Verdict.PASS);
    printIds("not reached", verdict, f -> !f.reached());
    printIds("undecided", verdict, f -> f.reached() && f.verdict() == Verdict.INCONCLUSIVE);
  }

  /** Rules that were not asked of this subject, and why. */
  private void printSkipped(SubjectVerdict verdict) {
    Set<Rule> asked = verdict.rules().stream().map(Finding::rule).collect(Collectors.toSet());
    Map<String, List<String>> idsByReason = new LinkedHashMap<>();
    for (Rule rule : Rule.values()) {
      if (!asked.contains(rule)) {
        String reason =
            rule.skippedBecause().isEmpty()
                ? rule.capability() + " is not claimed"
                : rule.skippedBecause();
        idsByReason.computeIfAbsent(reason, r -> new ArrayList<>()).add(rule.id());
      }
    }
    idsByReason.forEach(
        (reason, ids) -> {
          List<String> words = new ArrayList<>(ids);
          words.addAll(List.of(("(" + reason + ")").split(" ")));
          String start = INDENT + "skipped:";
          terminal.printWords(out, start, words, " ".repeat(start.length()));
        });
  }

  private void printBroken(Finding finding, boolean known, int titleWidth) {
    String state = known ? "VIOLATED (expected)" : "VIOLATED";
    Verdict colour = known ? Verdict.AS_EXPECTED : Verdict.VIOLATED;
    String start = INDENT + finding.rule().id() + " " + pad(finding.rule().title(), titleWidth);
    int used = start.length() + 2 + state.length() + 2;
    boolean fits = used + finding.detail().length() <= terminal.columns();
    out.print(start + "  " + coloured(colour, state));
    if (fits) {
      out.println("  " + finding.detail());
    } else {
      out.println();
      int room = terminal.columns() - DETAIL_INDENT.length();
      out.println(DETAIL_INDENT + fit(finding.detail(), room));
    }
  }

  /** The shortest run that breaks the first rule for which the search has one. */
  private void printPicture(List<Finding> broken, SubjectVerification.Outcome outcome) {
    for (Finding finding : broken) {
      Exploration.Witness witness = Exploration.shortest(outcome.searches(), finding.rule());
      if (witness != null) {
        out.println();
        out.println(INDENT + "the shortest run that breaks " + finding.rule().id() + ":");
        witness
            .run()
            .lanes(terminal.columns() - INDENT.length())
            .lines()
            .forEach(line -> out.println(INDENT + line));
        out.println(INDENT + "again: ./stockproof replay " + witness.token().text());
        out.println();
        return;
      }
    }
  }

  private void printCoverage(SubjectVerification.Outcome outcome) {
    for (String line : outcome.coverage()) {
      List<String> words = List.of(line.split(" "));
      terminal.printWords(
          out, INDENT + words.get(0), words.subList(1, words.size()), INDENT + INDENT);
    }
  }

  private void printIds(String label, SubjectVerdict verdict, Predicate<Finding> which) {
    List<String> ids =
        verdict.rules().stream().filter(which).map(finding -> finding.rule().id()).toList();
    if (!ids.isEmpty()) {
      String start = INDENT + label + ":";
      terminal.printWords(out, start, ids, " ".repeat(start.length()));
    }
  }

  /** A text, broken at words. */
  void paragraph(String text) {
    terminal.printWords(out, "", List.of(text.split(" ")), "");
    out.println();
  }

  private String coloured(Verdict verdict, String text) {
    if (!terminal.colours()) {
      return text;
    }
    int colour =
        switch (verdict) {
          case PASS -> 32;
          case AS_EXPECTED -> 36;
          case INCONCLUSIVE -> 33;
          case VIOLATED -> 31;
        };
    return "\u001b[" + colour + "m" + text + "\u001b[0m";
  }

  private static String pad(String text, int width) {
    return text.length() >= width ? text : text + " ".repeat(width - text.length());
  }

  private static String fit(String text, int width) {
    return text.length() <= width ? text : text.substring(0, Math.max(1, width - 1)) + "…";
  }
}
