package io.stockproof.reports.html;

import io.stockproof.reports.RunRecord;
import io.stockproof.reports.RunRecord.RuleRecord;
import io.stockproof.reports.RunRecord.SpecificationRecord;
import io.stockproof.reports.RunRecord.SubjectRecord;
import io.stockproof.verification.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rules by subjects.
 *
 * @param subjects the columns
 * @param groups the rows, by family
 * @param open what was not decided or not reached, with its reason
 */
public record Matrix(List<SubjectRecord> subjects, List<Group> groups, List<Open> open) {

  private static final int FEW = 5;

  /** Whether there is room for words beside the symbols. */
  public boolean few() {
    return subjects.size() <= FEW;
  }

  private static final Map<String, String> FAMILIES =
      Map.of(
          "R1", "The stores, at every moment",
          "R2", "The stores, at rest",
          "R3", "What callers are told",
          "R4", "Cost",
          "R5", "Faults",
          "R6", "Windows and input",
          "R7", "Several instances");

  /** A family of rules. */
  public record Group(String title, List<Row> rows) {}

  /** A rule. */
  public record Row(SpecificationRecord rule, List<Cell> cells) {
    /** Breaking it makes no subject VIOLATED. */
    public boolean should() {
      return rule.strength().equals("SHOULD");
    }
  }

  /** What is known of a rule and a subject, from best to least. */
  public enum State {
    PASS("holds", "holds"),
    EXPECTED("known break", "broken, as it is known to be"),
    BROKEN("broken", "broken, and it must not be"),
    ADVISED("broken (SHOULD)", "broken, which it should not be"),
    UNDECIDED("undecided", "could not be decided"),
    UNREACHED("not reached", "not reached"),
    UNCLAIMED("not claimed", "does not apply"),
    UNJUDGED("not judged", "not judged yet");

    private final String label;
    private final String words;

    State(String label, String words) {
      this.label = label;
      this.words = words;
    }

    /** In a word or two. */
    public String label() {
      return label;
    }

    /** For people. */
    public String words() {
      return words;
    }

    /** Id of its symbol. */
    public String symbol() {
      return "s-" + name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A cell.
   *
   * @param state what is known
   * @param text all of it, for hover and for those who cannot see
   * @param card id of the picture that shows it; null if there is none
   */
  public record Cell(State state, String text, @Nullable String card) {}

  /** A rule that was not decided, and why. */
  public record Open(String subject, String rule, String state, String reason) {}

  static Matrix of(RunRecord run, List<Failures.OfSubject> failures) {
    List<SubjectRecord> subjects = run.subjects();
    Map<String, List<Row>> families = new LinkedHashMap<>();
    List<Open> open = new ArrayList<>();
    for (SpecificationRecord rule : specification(run)) {
      List<Cell> cells = new ArrayList<>();
      for (SubjectRecord subject : subjects) {
        RuleRecord found =
            subject.rules().stream().filter(r -> r.id().equals(rule.id())).findFirst().orElse(null);
        Cell cell = cell(subject, rule, found, failures);
        cells.add(cell);
        if (found != null && found.verdict() == Verdict.INCONCLUSIVE) {
          open.add(
              new Open(
                  subject.name(),
                  rule.id() + " " + rule.title(),
                  cell.state().words(),
                  found.detail()));
        }
      }
      String family = rule.id().substring(0, Math.min(2, rule.id().length()));
      families.computeIfAbsent(family, f -> new ArrayList<>()).add(new Row(rule, cells));
    }
    List<Group> groups = new ArrayList<>();
    families.forEach(
        (family, rows) -> groups.add(new Group(FAMILIES.getOrDefault(family, family), rows)));
    return new Matrix(subjects, groups, open);
  }

  /** A record of an older version names only the rules that it found something about. */
  private static List<SpecificationRecord> specification(RunRecord run) {
    if (run.specification() != null) {
      return run.specification();
    }
    Map<String, SpecificationRecord> rules = new TreeMap<>();
    for (SubjectRecord subject : run.subjects()) {
      for (RuleRecord rule : subject.rules()) {
        rules.putIfAbsent(
            rule.id(),
            new SpecificationRecord(rule.id(), rule.strength(), rule.title(), "", "", null, ""));
      }
    }
    return List.copyOf(rules.values());
  }

  private static Cell cell(
      SubjectRecord subject,
      SpecificationRecord rule,
      @Nullable RuleRecord found,
      List<Failures.OfSubject> failures) {
    State state = state(subject, rule, found);
    String reason =
        found != null
            ? found.detail()
            : state == State.UNCLAIMED ? "it does not claim " + rule.capability() : "";
    String text =
        "%s %s · %s: %s%s"
            .formatted(
                rule.id(),
                rule.title(),
                subject.name(),
                state.words(),
                reason.isEmpty() ? "" : ". " + reason);
    return new Cell(state, text, card(subject, rule, failures));
  }

  private static State state(
      SubjectRecord subject, SpecificationRecord rule, @Nullable RuleRecord found) {
    if (found == null) {
      return rule.judgedBy() == null || rule.capability() == null
          ? State.UNJUDGED
          : State.UNCLAIMED;
    }
    return switch (found.verdict()) {
      case PASS, AS_EXPECTED -> State.PASS;
      case INCONCLUSIVE -> found.reached() ? State.UNDECIDED : State.UNREACHED;
      case VIOLATED -> {
        boolean known =
            found.expected() == null ? subject.expected().contains(found.id()) : found.expected();
        yield known
            ? State.EXPECTED
            : rule.strength().equals("SHOULD") && subject.expected().isEmpty()
                ? State.ADVISED
                : State.BROKEN;
      }
    };
  }

  private static @Nullable String card(
      SubjectRecord subject, SpecificationRecord rule, List<Failures.OfSubject> failures) {
    return failures.stream()
        .filter(failure -> failure.subject().name().equals(subject.name()))
        .flatMap(failure -> failure.cards().stream())
        .filter(card -> card.rules().stream().anyMatch(broken -> broken.id().equals(rule.id())))
        .map(Failures.Card::id)
        .findFirst()
        .orElse(null);
  }
}
