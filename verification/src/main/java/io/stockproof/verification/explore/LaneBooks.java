package io.stockproof.verification.explore;

import io.stockproof.verification.StoreState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The columns of the books beside the lanes, no wider than their numbers. */
final class LaneBooks {

  private static final String[] TITLES = {"gate", "rows", "counter"};
  private static final String GAP = " ";

  private final int[] widths = new int[TITLES.length];

  LaneBooks(List<Step> steps) {
    for (int i = 0; i < TITLES.length; i++) {
      widths[i] = TITLES[i].length();
    }
    for (Step step : steps) {
      String[] numbers = numbers(step.books());
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
  String after(Step step, boolean part) {
    String[] numbers = numbers(step.books());
    return numbers.length == 0 ? "" : row(numbers) + (part ? "◄" : "");
  }

  private String row(String[] texts) {
    StringBuilder row = new StringBuilder();
    for (int i = 0; i < texts.length; i++) {
      row.append(GAP).append(" ".repeat(widths[i] - texts[i].length())).append(texts[i]);
    }
    return row.toString();
  }

  private static String[] numbers(@Nullable StoreState state) {
    if (state == null) {
      return new String[0];
    }
    return new String[] {
      state.gateStock() == StoreState.MISSING ? "-" : Long.toString(state.gateStock()),
      Long.toString(state.rows()),
      state.counter() < 0 ? "-" : Long.toString(state.counter())
    };
  }
}
