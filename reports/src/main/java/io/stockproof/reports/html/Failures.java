package io.stockproof.reports.html;

import gg.jte.Content;
import io.stockproof.reports.RunRecord;
import io.stockproof.reports.RunRecord.RuleRecord;
import io.stockproof.reports.RunRecord.SpecificationRecord;
import io.stockproof.reports.RunRecord.SubjectRecord;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.explore.Drawing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What was broken, as pictures: a card a run, whatever the number of rules it breaks. */
public final class Failures {
  private Failures() {}

  /**
   * The failures of a subject.
   *
   * @param subject whose
   * @param unexpected whether it must not break what it breaks
   * @param cards those with a run to look at
   * @param withoutRun rules that were seen broken, but not by a run that can be made again
   */
  public record OfSubject(
      SubjectRecord subject, boolean unexpected, List<Card> cards, List<RuleRecord> withoutRun) {}

  /**
   * One run that breaks something.
   *
   * @param id of its place in the page
   * @param subject whose
   * @param rules what it breaks
   * @param stated the same rules as they are stated, as far as the record has them
   * @param token replays it
   * @param drawing of the run
   * @param open whether it is shown unfolded
   */
  public record Card(
      String id,
      String subject,
      List<RuleRecord> rules,
      List<SpecificationRecord> stated,
      String token,
      Drawing drawing,
      boolean open) {

    /** What a person types to see it again. */
    public String command() {
      return "./stockproof replay " + token;
    }

    /** For 700 px and more. */
    public Content wide() {
      return LaneSvg.wide(drawing);
    }

    /** For less. */
    public Content narrow() {
      return LaneSvg.narrow(drawing);
    }

    /** The same as a table, with whole statements. */
    public StepTable table() {
      return StepTable.of(drawing);
    }

    /** How large the run is and how it was found. */
    public String facts() {
      long faults = drawing.marks().stream().filter(mark -> mark.fault() != null).count();
      long commands =
          drawing.marks().stream().filter(mark -> mark.kind() != Drawing.Kind.START).count();
      long requests = drawing.lanes().stream().filter(lane -> !lane.late()).count();
      String size =
          "stock %d · %s · %s · %s · %s"
              .formatted(
                  drawing.stock(),
                  counted(requests, "request"),
                  counted(drawing.instances(), "instance"),
                  counted(commands, "command"),
                  faults == 0 ? "no fault" : counted(faults, "fault"));
      RuleRecord first = rules.get(0);
      return first.foundAtRun() == null || first.seconds() == null
          ? size
          : size
              + " · found at run %s after %s"
                  .formatted(Sizes.count(first.foundAtRun()), Sizes.duration(first.seconds()));
    }

    private static String counted(long number, String what) {
      return number + " " + what + (number == 1 ? "" : "s");
    }
  }

  static List<OfSubject> of(RunRecord run) {
    int[] number = {0};
    return run.subjects().stream()
        .filter(s -> s.rules().stream().anyMatch(r -> r.verdict() == Verdict.VIOLATED))
        .sorted(Comparator.comparing(s -> s.verdict() != Verdict.VIOLATED))
        .map(subject -> of(run, subject, number))
        .toList();
  }

  private static OfSubject of(RunRecord run, SubjectRecord subject, int[] number) {
    boolean unexpected = subject.verdict() == Verdict.VIOLATED;
    Map<String, List<RuleRecord>> byToken = new LinkedHashMap<>();
    List<RuleRecord> without = new ArrayList<>();
    for (RuleRecord rule : subject.rules()) {
      if (rule.verdict() == Verdict.VIOLATED) {
        boolean pictured = rule.token() != null && drawing(subject, rule.token()) != null;
        (pictured ? byToken.computeIfAbsent(rule.token(), t -> new ArrayList<>()) : without)
            .add(rule);
      }
    }
    List<Card> cards = new ArrayList<>();
    byToken.forEach(
        (token, rules) -> {
          Drawing drawing = Objects.requireNonNull(drawing(subject, token));
          boolean open = unexpected || cards.isEmpty();
          String id = "f" + ++number[0];
          cards.add(new Card(id, subject.name(), rules, stated(run, rules), token, drawing, open));
        });
    return new OfSubject(subject, unexpected, cards, without);
  }

  private static List<SpecificationRecord> stated(RunRecord run, List<RuleRecord> rules) {
    List<String> ids = rules.stream().map(RuleRecord::id).toList();
    return run.specification() == null
        ? List.of()
        : run.specification().stream().filter(rule -> ids.contains(rule.id())).toList();
  }

  private static @Nullable Drawing drawing(SubjectRecord subject, String token) {
    return subject.pictures() == null
        ? null
        : subject.pictures().stream()
            .filter(picture -> picture.token().equals(token))
            .map(RunRecord.PictureRecord::drawing)
            .findFirst()
            .orElse(null);
  }

  /**
   * The picture for the top of the page: of what should not be, if there is any; else of the
   * simplest rule, by the shortest run.
   */
  static @Nullable Card plainest(List<OfSubject> failures) {
    boolean any = failures.stream().anyMatch(f -> f.unexpected() && !f.cards().isEmpty());
    return failures.stream()
        .filter(f -> f.unexpected() || !any)
        .flatMap(f -> f.cards().stream())
        .min(
            Comparator.comparing((Card card) -> card.rules().get(0).id())
                .thenComparing(card -> card.drawing().lanes().size())
                .thenComparing(card -> card.drawing().marks().size()))
        .orElse(null);
  }
}
