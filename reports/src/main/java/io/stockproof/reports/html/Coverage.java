package io.stockproof.reports.html;

import io.stockproof.reports.RunRecord;
import io.stockproof.reports.RunRecord.SubjectRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the searches met at all: a search that never did proves little.
 *
 * @param goals names of the interesting states
 * @param rows one a subject that was searched
 */
public record Coverage(List<Goal> goals, List<Row> rows) {

  private static final Map<String, String> MEANINGS =
      Map.of(
          "two-past-gate", "two requests past the gate before either is in the ledger",
          "lock-wait", "a request waits for a lock of another",
          "retry-after-error", "a request writes again after an error",
          "compensation", "what the gate gave is given back",
          "fault", "a command fails",
          "crash", "an instance dies",
          "refused", "somebody is refused");

  /** An interesting state. */
  public record Goal(String name, String meaning) {}

  /** A subject: runs that met each goal. */
  public record Row(SubjectRecord subject, List<Met> met) {}

  /**
   * How often.
   *
   * @param runs that met it
   * @param shade 0 for none, 1 to 4 for the share of all runs
   */
  public record Met(long runs, int shade) {}

  static Coverage of(RunRecord run) {
    Set<String> names = new LinkedHashSet<>();
    run.subjects().forEach(s -> names.addAll(s.goals() == null ? Set.of() : s.goals().keySet()));
    List<Row> rows = new ArrayList<>();
    for (SubjectRecord subject : run.subjects()) {
      Map<String, Long> goals = subject.goals();
      if (goals != null) {
        long runs = subject.interleavings() == null ? 0 : subject.interleavings();
        rows.add(
            new Row(
                subject,
                names.stream().map(name -> met(goals.getOrDefault(name, 0L), runs)).toList()));
      }
    }
    return new Coverage(
        names.stream().map(name -> new Goal(name, MEANINGS.getOrDefault(name, ""))).toList(), rows);
  }

  private static Met met(long times, long runs) {
    if (times == 0) {
      return new Met(0, 0);
    }
    double share = runs == 0 ? 1 : (double) times / runs;
    return new Met(times, share < 0.05 ? 1 : share < 0.2 ? 2 : share < 0.5 ? 3 : 4);
  }
}
