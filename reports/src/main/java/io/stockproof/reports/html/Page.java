package io.stockproof.reports.html;

import io.stockproof.reports.RunRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows, in its order.
 *
 * @param css style of the page
 * @param js what makes it handier; nothing needs it
 * @param run the record
 * @param headline the verdict in words
 * @param size how large the search was
 * @param hero the picture at the top; null if no run broke anything
 * @param matrix rules by subjects
 * @param failures by subject, those that should not be first
 * @param coverage what the search met
 */
public record Page(
    String css,
    String js,
    RunRecord run,
    Headline headline,
    List<Fact> size,
    Failures.@Nullable Card hero,
    Matrix matrix,
    List<Failures.OfSubject> failures,
    Coverage coverage) {

  /**
   * A figure with its meaning.
   *
   * @param figure a number, or a word
   * @param label what it counts
   */
  public record Fact(String figure, String label) {}

  static Page of(RunRecord run, String css, String js) {
    List<Failures.OfSubject> failures = Failures.of(run);
    return new Page(
        css,
        js,
        run,
        Headline.of(run),
        Sizes.facts(run),
        Failures.plainest(failures),
        Matrix.of(run, failures),
        failures,
        Coverage.of(run));
  }
}
