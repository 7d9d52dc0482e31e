package io.stockproof.reports.html;

import io.stockproof.verification.explore.Drawing;
import java.util.ArrayList;
import java.util.List;

/**
 * The run as a table, for those who cannot see or hover: every step with its whole statement.
 *
 * @param columns titles of the books
 * @param rows the steps
 */
public record StepTable(List<String> columns, List<Row> rows) {

  /**
   * A step.
   *
   * @param number from 1
   * @param who letter of the lane
   * @param what the whole statement
   * @param came the answer, the fault or the wait
   * @param books by column; empty if they were not looked at
   * @param parts whether a rule was broken here
   */
  public record Row(
      int number, String who, String what, String came, List<String> books, boolean parts) {}

  static StepTable of(Drawing drawing) {
    List<Ledgers.Column> columns = Ledgers.of(drawing).columns();
    List<Row> rows = new ArrayList<>();
    for (Drawing.Mark mark : drawing.marks()) {
      Drawing.Books books = mark.books();
      rows.add(
          new Row(
              mark.number(),
              drawing.lanes().get(mark.lane()).letter(),
              mark.statement() == null ? mark.text() : mark.statement(),
              came(drawing, mark),
              books == null ? List.of() : columns.stream().map(c -> c.text(books)).toList(),
              mark.number() == drawing.partsAt()));
    }
    return new StepTable(columns.stream().map(Ledgers.Column::title).toList(), rows);
  }

  private static String came(Drawing drawing, Drawing.Mark mark) {
    List<String> came = new ArrayList<>();
    if (mark.fault() != null) {
      came.add("✗ " + mark.fault() + ": " + mark.faultMeaning());
    }
    if (mark.answer() != null) {
      came.add("→ " + mark.answer());
    }
    mark.waits()
        .forEach(
            wait ->
                came.add(
                    drawing.lanes().get(wait.lane()).letter()
                        + " "
                        + LaneWords.wait(drawing, wait)));
    return String.join("; ", came);
  }
}
