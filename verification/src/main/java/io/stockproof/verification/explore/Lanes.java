package io.stockproof.verification.explore;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The picture of a run on a terminal: a lane for each request, a line for each command, and the
 * books beside them.
 */
final class Lanes {

  private static final int BOOKS_WIDTH = 22;
  private static final int STEP_WIDTH = 6;
  private static final int LEAST_LANE = 25;

  private final Drawing drawing;
  private final List<Drawing.Lane> requests;
  private final int width;
  private final boolean sideBySide;
  private final int laneWidth;

  /**
   * Draws a run.
   *
   * @param width columns of the terminal, 60 or more
   */
  static String draw(Drawing drawing, int width) {
    return new Lanes(drawing, width).draw();
  }

  private Lanes(Drawing drawing, int width) {
    this.drawing = drawing;
    this.width = width;
    this.requests = drawing.lanes().stream().filter(lane -> !lane.late()).toList();
    int room = width - STEP_WIDTH - BOOKS_WIDTH;
    this.sideBySide = room / requests.size() >= LEAST_LANE;
    this.laneWidth = sideBySide ? room / requests.size() : room;
  }

  private String draw() {
    List<String> lines = new ArrayList<>();
    StringBuilder head = new StringBuilder(pad("step", STEP_WIDTH));
    if (sideBySide) {
      requests.forEach(lane -> head.append(pad(title(lane), laneWidth)));
    } else {
      String who = requests.stream().map(this::title).collect(Collectors.joining(", "));
      head.append(pad(clip(who, laneWidth - 1), laneWidth));
    }
    lines.add(head + pad("  gate", 7) + pad("  rows", 6) + "  counter");
    drawing.marks().forEach(mark -> line(mark, lines));
    if (drawing.partsAt() < 1 || drawing.partsAt() > drawing.marks().size()) {
      atRest(lines);
    }
    return lines.stream().map(String::stripTrailing).collect(Collectors.joining("\n"));
  }

  /** What was asked when all was over, where only that shows what is wrong. */
  private void atRest(List<String> lines) {
    for (Drawing.Probe probe : drawing.probes()) {
      String asks = probe.fresh() ? "asks for the first time" : "asks again";
      String line = "at rest, user " + probe.user() + " " + asks + " → " + probe.told();
      lines.add(clip(line, width));
    }
  }

  private String title(Drawing.Lane lane) {
    String at = drawing.instances() > 1 ? "@" + lane.instance() : "";
    return lane.letter() + " (" + lane.who() + at + ")";
  }

  private void line(Drawing.Mark mark, List<String> lines) {
    boolean inLane = inLane(mark.lane());
    String who = inLane ? "" : letter(mark.lane()) + ": ";
    int room = inLane ? laneWidth - 1 : width - STEP_WIDTH - BOOKS_WIDTH - 1;
    String outcome = clip(outcome(mark), room / 2);
    String command = clip(who + describe(mark), room - outcome.length()) + outcome;
    int before = inLane ? mark.lane() * laneWidth : 0;
    int total = sideBySide ? laneWidth * requests.size() : laneWidth;
    boolean parts = mark.number() == drawing.partsAt();
    lines.add(
        pad("%3d".formatted(mark.number()), STEP_WIDTH)
            + pad(" ".repeat(before) + command, total)
            + books(mark.books(), parts));
    mark.waits().forEach(wait -> lines.add(waits(wait)));
    if (parts) {
      String under = "books part here ↑";
      int end = STEP_WIDTH + total + BOOKS_WIDTH;
      lines.add(" ".repeat(Math.max(0, end - under.length())) + under);
    }
  }

  private boolean inLane(int lane) {
    return sideBySide && lane < requests.size();
  }

  private String letter(int lane) {
    return drawing.lanes().get(lane).letter();
  }

  private String waits(Drawing.Wait wait) {
    String text =
        wait.holder() < 0
            ? "┊ waits for a lock"
            : "┊ waits for " + letter(wait.holder()) + ", row " + wait.row();
    return inLane(wait.lane())
        ? " ".repeat(STEP_WIDTH + wait.lane() * laneWidth) + clip(text, laneWidth - 1)
        : " ".repeat(STEP_WIDTH) + clip(letter(wait.lane()) + ": " + text, width - STEP_WIDTH);
  }

  private static String books(Drawing.@Nullable Books books, boolean part) {
    if (books == null) {
      return "";
    }
    String gate = books.gateStock() == null ? "-" : books.gateStock().toString();
    String counter = books.counter() == null ? "-" : books.counter().toString();
    return "%6s%6d%9s%s".formatted(gate, books.rows(), counter, part ? "◄" : "");
  }

  private static String describe(Drawing.Mark mark) {
    return mark.fault() == null ? mark.text() : "✗ " + mark.fault() + ": " + mark.text();
  }

  private static String outcome(Drawing.Mark mark) {
    if (mark.answer() == null) {
      return "";
    }
    return mark.answer().equals("…") ? " …" : " → " + mark.answer();
  }

  private static String clip(String text, int room) {
    return text.length() <= room ? text : text.substring(0, Math.max(0, room - 1)) + "…";
  }

  private static String pad(String text, int columns) {
    return text.length() >= columns ? text : text + " ".repeat(columns - text.length());
  }
}
