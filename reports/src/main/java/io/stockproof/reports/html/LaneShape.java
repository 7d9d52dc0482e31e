package io.stockproof.reports.html;

import io.stockproof.verification.explore.Drawing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where things are in the picture of a run, in pixels.
 *
 * @param columns whether each lane has room for its own texts; else all texts share one column
 * @param laneWidth from one lane to the next
 * @param textWidth room of a text beside a lane, or of the shared column
 * @param bookEnds where each column of the books ends, from where they begin
 */
record LaneShape(boolean columns, int lanes, int laneWidth, int textWidth, List<Double> bookEnds) {

  static final double NUMBERS = 30;
  private static final int MOST_COLUMNS = 3;
  private static final double CHARACTER = 7.25;
  private static final double TITLE_CHARACTER = 6.4;

  /** For 700 px and more. */
  static LaneShape wide(Drawing drawing, Ledgers ledgers) {
    int lanes = drawing.lanes().size();
    List<Double> books = ends(ledgers, 58);
    int width = lanes == 1 ? 440 : lanes == 2 ? 272 : 232;
    return lanes > MOST_COLUMNS
        ? new LaneShape(false, lanes, 30, 420, books)
        : new LaneShape(true, lanes, width, width - 26, books);
  }

  /** For less: the width of a telephone. */
  static LaneShape narrow(Drawing drawing, Ledgers ledgers) {
    int lanes = drawing.lanes().size();
    List<Double> books = ends(ledgers, 32);
    double room = 340 - NUMBERS - lanes * 20 - books.get(books.size() - 1);
    return new LaneShape(false, lanes, 20, Math.max(130, (int) room), books);
  }

  /** Each as wide as the longest word of its title needs. */
  private static List<Double> ends(Ledgers ledgers, double least) {
    List<Double> ends = new ArrayList<>();
    double end = 0;
    for (Ledgers.Column column : ledgers.columns()) {
      int longest =
          Arrays.stream(column.title().split(" ")).mapToInt(String::length).max().orElse(0);
      end += Math.max(least, longest * TITLE_CHARACTER + 8);
      ends.add(end);
    }
    return ends;
  }

  double laneX(int lane) {
    return NUMBERS + 10 + (double) lane * laneWidth;
  }

  double textX(int lane) {
    return columns ? laneX(lane) + 16 : laneX(lanes) + 2;
  }

  double booksX() {
    return columns ? NUMBERS + (double) lanes * laneWidth : laneX(lanes) + 2 + textWidth;
  }

  /** Where the numbers of a column end. */
  double bookX(int column) {
    return booksX() + bookEnds.get(column) - 4;
  }

  double width() {
    return booksX() + bookEnds.get(bookEnds.size() - 1) + 6;
  }

  /** Cut to the room there is; the whole stands in the hover text and in the table. */
  String fit(String text) {
    int most = (int) (textWidth / CHARACTER);
    return text.length() <= most ? text : text.substring(0, Math.max(1, most - 1)) + "…";
  }
}
