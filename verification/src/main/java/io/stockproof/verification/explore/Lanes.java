package io.stockproof.verification.explore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The picture of a run on a terminal: a lane for each request, a line for each command, and the
 * books beside them.
 */
final class Lanes {

  private static final int STEP_WIDTH = 6;
  private static final int LEAST_LANE = 25;
  private static final String CONTINUED = "  ";

  private final Drawing drawing;
  private final List<Drawing.Lane> requests;
  private final int width;
  private final LaneBooks books;
  private final boolean sideBySide;
  private final int[] lanes;

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
    this.books = new LaneBooks(drawing.marks());
    int room = width - STEP_WIDTH - books.width();
    this.sideBySide = room / requests.size() >= LEAST_LANE;
    this.lanes = sideBySide ? widths(room) : new int[] {room};
  }

  /** Each lane as wide as what stands in it; where that is too much, the narrow ones first. */
  private int[] widths(int room) {
    int[] wanted = new int[requests.size()];
    for (int lane = 0; lane < wanted.length; lane++) {
      wanted[lane] = Math.max(LEAST_LANE, title(requests.get(lane)).length() + 1);
    }
    for (Drawing.Mark mark : drawing.marks()) {
      want(wanted, mark.lane(), describe(mark) + outcome(mark));
      mark.waits().forEach(wait -> want(wanted, wait.lane(), waits(wait)));
    }
    int[] widths = new int[wanted.length];
    List<Integer> byNeed = new ArrayList<>();
    for (int lane = 0; lane < wanted.length; lane++) {
      byNeed.add(lane);
    }
    byNeed.sort(Comparator.comparingInt(lane -> wanted[lane]));
    int left = room;
    for (int n = 0; n < wanted.length; n++) {
      int lane = byNeed.get(n);
      widths[lane] = Math.min(wanted[lane], left / (wanted.length - n));
      left -= widths[lane];
    }
    return widths;
  }

  private static void want(int[] wanted, int lane, String text) {
    if (lane < wanted.length) {
      wanted[lane] = Math.max(wanted[lane], text.length() + 1);
    }
  }

  private String draw() {
    List<String> lines = new ArrayList<>();
    StringBuilder head = new StringBuilder(pad("step", STEP_WIDTH));
    if (sideBySide) {
      for (int lane = 0; lane < lanes.length; lane++) {
        head.append(pad(clip(title(requests.get(lane)), lanes[lane] - 1), lanes[lane]));
      }
    } else {
      String who = requests.stream().map(this::title).collect(Collectors.joining(", "));
      head.append(pad(clip(who, lanes[0] - 1), lanes[0]));
    }
    lines.add(head + books.heading());
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
    boolean parts = mark.number() == drawing.partsAt();
    String who = inLane ? "" : letter(mark.lane()) + ": ";
    int before = inLane ? before(mark.lane()) : 0;
    int room = (inLane ? lanes[mark.lane()] : total()) - 1;
    List<String> texts = wrapped(who + describe(mark), outcome(mark), room);
    for (int n = 0; n < texts.size(); n++) {
      boolean last = n == texts.size() - 1;
      String body = pad(" ".repeat(before) + texts.get(n), total());
      String start = n == 0 ? "%3d".formatted(mark.number()) : "";
      // The books are those after the command, and stand where it ends.
      String end = last ? books.after(mark, parts) : "";
      lines.add(pad(start, STEP_WIDTH) + body + end);
    }
    mark.waits().forEach(wait -> lines.add(waitLine(wait)));
    if (parts) {
      String under = "books part here ↑";
      int end = STEP_WIDTH + total() + books.width();
      lines.add(" ".repeat(Math.max(0, end - under.length())) + under);
    }
  }

  private boolean inLane(int lane) {
    return sideBySide && lane < requests.size();
  }

  private int before(int lane) {
    return Arrays.stream(lanes).limit(lane).sum();
  }

  private int total() {
    return Arrays.stream(lanes).sum();
  }

  private String letter(int lane) {
    return drawing.lanes().get(lane).letter();
  }

  private String waits(Drawing.Wait wait) {
    return wait.holder() < 0
        ? "┊ waits for a lock"
        : "┊ waits for " + letter(wait.holder()) + ", row " + wait.row();
  }

  private String waitLine(Drawing.Wait wait) {
    return inLane(wait.lane())
        ? " ".repeat(STEP_WIDTH + before(wait.lane())) + clip(waits(wait), lanes[wait.lane()] - 1)
        : " ".repeat(STEP_WIDTH)
            + clip(letter(wait.lane()) + ": " + waits(wait), width - STEP_WIDTH);
  }

  /** A command and its answer, on a second line where one is not enough; then the answer wins. */
  private static List<String> wrapped(String command, String outcome, int room) {
    if (command.length() + outcome.length() <= room) {
      return List.of(command + outcome);
    }
    List<String> lines = new ArrayList<>();
    String rest = command;
    int space = rest.lastIndexOf(' ', room);
    boolean atWord = space > room / 2;
    if (rest.length() > room) {
      int cut = atWord ? space : room;
      lines.add(rest.substring(0, cut));
      rest = CONTINUED + rest.substring(cut).strip();
    } else {
      lines.add(rest);
      rest = CONTINUED;
    }
    String told = rest.isBlank() ? outcome.strip() : outcome;
    String end = clip(told, Math.max(room / 2, room - rest.length()));
    lines.add(clip(rest, room - end.length()) + end);
    return lines;
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
