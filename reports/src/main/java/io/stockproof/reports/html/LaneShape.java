package io.stockproof.reports.html;

import io.stockproof.verification.explore.Drawing;

/**
 * Where things are in the picture of a run, in pixels.
 *
 * @param columns whether each lane has room for its own texts; else all texts share one column
 * @param laneWidth from one lane to the next
 * @param textWidth room of a text beside a lane, or of the shared column
 * @param bookWidth of one column of the books
 */
record LaneShape(boolean columns, int lanes, int laneWidth, int textWidth, int bookWidth) {

  static final double NUMBERS = 30;
  private static final int MOST_COLUMNS = 3;
  private static final double CHARACTER = 7.25;

  /** For 700 px and more. */
  static LaneShape wide(Drawing drawing) {
    int lanes = drawing.lanes().size();
    return lanes > MOST_COLUMNS
        ? new LaneShape(false, lanes, 30, 420, 62)
        : columns(lanes, lanes == 1 ? 440 : lanes == 2 ? 272 : 232);
  }

  private static LaneShape columns(int lanes, int width) {
    return new LaneShape(true, lanes, width, width - 26, 62);
  }

  /** For less: the width of a telephone. */
  static LaneShape narrow(Drawing drawing, int books) {
    int lanes = drawing.lanes().size();
    int bookWidth = 32;
    int room = 340 - (int) NUMBERS - lanes * 20 - books * bookWidth;
    return new LaneShape(false, lanes, 20, Math.max(120, room), bookWidth);
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

  double width(int books) {
    return booksX() + (double) books * bookWidth + 6;
  }

  /** Cut to the room there is; the whole stands in the hover text and in the table. */
  String fit(String text) {
    int most = (int) (textWidth / CHARACTER);
    return text.length() <= most ? text : text.substring(0, Math.max(1, most - 1)) + "…";
  }
}
