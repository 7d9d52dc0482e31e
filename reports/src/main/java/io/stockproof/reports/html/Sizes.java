package io.stockproof.reports.html;

import io.stockproof.reports.RunRecord;
import io.stockproof.reports.RunRecord.SearchRecord;
import io.stockproof.reports.RunRecord.SubjectRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How large a search was, in figures for people. */
public final class Sizes {
  private Sizes() {}

  static List<Page.Fact> facts(RunRecord run) {
    List<Page.Fact> facts = new ArrayList<>();
    boolean replay = run.command().equals("replay");
    add(
        facts,
        sum(run, SubjectRecord::interleavings),
        replay ? "runs made again" : "interleavings run");
    add(facts, sum(run, SubjectRecord::classes), "classes that differ");
    List<SearchRecord> searches =
        run.subjects().stream().flatMap(subject -> searches(subject).stream()).toList();
    if (!searches.isEmpty()) {
      long whole = searches.stream().filter(SearchRecord::exhaustive).count();
      facts.add(new Page.Fact(whole + " of " + searches.size(), "searches exhaustive"));
    }
    add(facts, sum(run, SubjectRecord::faultedRuns), "runs with a fault");
    add(facts, sum(run, SubjectRecord::commandsIntercepted), "commands steered");
    Long stress = sum(run, s -> s.stressRuns() == null ? null : Long.valueOf(s.stressRuns()));
    add(facts, stress, "runs under stress");
    if (run.seconds() != null) {
      facts.add(new Page.Fact(duration(run.seconds()), "in all"));
    }
    return facts;
  }

  private static void add(List<Page.Fact> facts, @Nullable Long number, String label) {
    if (number != null) {
      facts.add(new Page.Fact(count(number), label));
    }
  }

  private static @Nullable Long sum(RunRecord run, Function<SubjectRecord, @Nullable Long> figure) {
    return run.subjects().stream()
        .map(figure)
        .filter(Objects::nonNull)
        .reduce(Long::sum)
        .orElse(null);
  }

  /** Searches of a subject; none if its record does not say. */
  public static List<SearchRecord> searches(SubjectRecord subject) {
    return Objects.requireNonNullElse(subject.searches(), List.of());
  }

  /** With thousands apart; a dash for none. */
  public static String count(@Nullable Number number) {
    return number == null ? "–" : String.format(Locale.ROOT, "%,d", number.longValue());
  }

  /** Seconds, or minutes and seconds. */
  public static String duration(@Nullable Double seconds) {
    if (seconds == null) {
      return "–";
    }
    if (seconds < 0.1) {
      return "< 0.1 s";
    }
    return seconds < 60
        ? String.format(Locale.ROOT, "%.1f s", seconds)
        : "%d min %d s".formatted((long) (seconds / 60), (long) (seconds % 60));
  }
}
