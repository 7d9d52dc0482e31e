package io.stockproof.verification.explore;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns of the books beside the lanes, no wider than their numbers. */
final class LaneBooks {

  private static final String[] TITLES = {"gate", "rows", "counter"};
  private static final String GAP = " ";

  private final int[] widths = new int[TITLES.length];

  LaneBooks(List<Drawing.Mark> marks) {
    for (int i = 0; i < TITLES.length; i++) {
      widths[i] = TITLES[i].length();
    }
    for (Drawing.Mark mark : marks) {
      String[] numbers = numbers(mark.books());
      for (int i = 0; i < numbers.length; i++) {
        widths[i] = Math.max(widths[i], numbers[i].length());
      }
    }
  }

  /** Columns, with one for the mark. */
  int width() {
    int width = 1;
    for (int column : widths) {
      width += GAP.length() + column;
    }
    return width;
  }

  String heading() {
    return row(TITLES);
  }

  /** The stores after a step; empty if they were not looked at. */
  String after(Drawing.Mark mark, boolean part) {
    String[] numbers = numbers(mark.books());
    return numbers.length == 0 ? "" : row(numbers) + (part ? "◄" : "");
  }

  private String row(String[] texts) {
    StringBuilder row = new StringBuilder();
    for (int i = 0; i < texts.length; i++) {
      row.append(GAP).append(" ".repeat(widths[i] - texts[i].length())).append(texts[i]);
    }
    return row.toString();
  }

  private static String[] numbers(Drawing.@Nullable Books books) {
    if (books == null) {
      return new String[0];
    }
    return new String[] {
      books.gateStock() == null ? "-" : Long.toString(books.gateStock()),
      Long.toString(books.rows()),
      books.counter() == null ? "-" : Long.toString(books.counter())
    };
  }
}
