package io.stockproof.reports.html;

import gg.jte.Content;
import gg.jte.TemplateOutput;
import io.stockproof.verification.explore.Drawing;
import io.stockproof.verification.explore.Drawing.Mark;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The picture of a run: time runs down, a lane a request, a mark a command, waits as bars, the
 * books beside. Colours come from the page's style.
 */
final class LaneSvg implements Content {

  private static final double HEAD = 58;
  private static final double ROW = 36;
  private static final double PART = 18;
  private static final double MIDDLE = 12;

  private final Drawing drawing;
  private final LaneShape shape;
  private final Ledgers ledgers;
  private final boolean hover;
  private final Svg svg = new Svg();

  /** For 700 px and more, each mark with its whole statement on hover. */
  static LaneSvg wide(Drawing drawing) {
    Ledgers ledgers = Ledgers.of(drawing);
    return new LaneSvg(drawing, LaneShape.wide(drawing, ledgers), ledgers, true);
  }

  /** For less, where nothing hovers. */
  static LaneSvg narrow(Drawing drawing) {
    Ledgers ledgers = Ledgers.of(drawing);
    return new LaneSvg(drawing, LaneShape.narrow(drawing, ledgers), ledgers, false);
  }

  private LaneSvg(Drawing drawing, LaneShape shape, Ledgers ledgers, boolean hover) {
    this.drawing = drawing;
    this.shape = shape;
    this.ledgers = ledgers;
    this.hover = hover;
  }

  @Override
  public void writeTo(TemplateOutput output) {
    output.writeContent(draw());
  }

  private String draw() {
    double width = shape.width();
    double height = told() + foot();
    svg.open(
        "svg",
        "class",
        "lanes",
        "viewBox",
        "0 0 " + Math.round(width) + " " + Math.round(height),
        "width",
        width,
        "height",
        height,
        "role",
        "img",
        "aria-label",
        LaneWords.summary(drawing));
    part(width);
    head(width);
    for (int lane = 0; lane < drawing.lanes().size(); lane++) {
      lane(lane);
    }
    drawing.marks().forEach(this::waits);
    Drawing.Books last = drawing.before();
    for (Mark mark : drawing.marks()) {
      mark(mark);
      books(mark.books(), last, top(mark.number()), mark.number() == drawing.partsAt());
      last = mark.books() == null ? last : mark.books();
    }
    end(last);
    return svg.close("svg").toString();
  }

  /** Where the row of a step begins; steps count from 1. */
  private double top(int number) {
    boolean below = drawing.partsAt() > 0 && number > drawing.partsAt();
    return HEAD + (number - 1) * ROW + (below ? PART : 0);
  }

  private double told() {
    return top(drawing.marks().size() + 1) + 4;
  }

  private double foot() {
    double answers = shape.columns() ? 26 : 18.0 * drawing.lanes().size() + 8;
    return answers + (partsAtRest() ? 22 + 18.0 * drawing.probes().size() : 0);
  }

  private boolean partsAtRest() {
    return drawing.partsAt() < 1 || drawing.partsAt() > drawing.marks().size();
  }

  /** The step at which the books part, in red before anything else is drawn. */
  private void part(double width) {
    if (!partsAtRest()) {
      double top = top((int) drawing.partsAt());
      svg.empty(
          "rect", "class", "part", "x", 0, "y", top - 4, "width", width, "height", ROW + PART - 2);
      svg.text(
          "text",
          "the books part here ↑",
          "class",
          "parts",
          "x",
          width - 8,
          "y",
          top + ROW + 7,
          "text-anchor",
          "end");
    }
  }

  private void head(double width) {
    for (int i = 0; i < drawing.lanes().size(); i++) {
      Drawing.Lane lane = drawing.lanes().get(i);
      svg.empty("circle", "class", "badge " + colour(i), "cx", shape.laneX(i), "cy", 16, "r", 9);
      svg.text("text", lane.letter(), "class", "letter", "x", shape.laneX(i), "y", 20.2);
      if (shape.columns()) {
        svg.text(
            "text",
            shape.fit(LaneWords.who(drawing, lane)),
            "class",
            "who",
            "x",
            shape.textX(i),
            "y",
            20.2);
      }
    }
    for (int i = 0; i < ledgers.columns().size(); i++) {
      String[] words = ledgers.columns().get(i).title().split(" ", 2);
      for (int line = 0; line < words.length; line++) {
        double y = 20 - (words.length - 1 - line) * 11.0;
        svg.text("text", words[line], "class", "column", "x", shape.bookX(i), "y", y);
      }
    }
    svg.empty("path", "class", "rule", "d", "M0 33.5H" + Math.round(width));
    if (drawing.before() != null) {
      for (int i = 0; i < ledgers.columns().size(); i++) {
        String text = ledgers.columns().get(i).text(drawing.before());
        svg.text("text", text, "class", "same", "x", shape.bookX(i), "y", 49);
      }
    }
  }

  /** Solid from the first step of a request to its last, thin until its answer. */
  private void lane(int index) {
    List<Mark> own = drawing.marks().stream().filter(mark -> mark.lane() == index).toList();
    if (own.isEmpty()) {
      return;
    }
    double x = shape.laneX(index);
    double from = top(own.get(0).number()) + MIDDLE;
    double to = top(own.get(own.size() - 1).number()) + MIDDLE;
    if (!drawing.lanes().get(index).late()) {
      svg.empty("path", "class", "thin", "d", line(x, 33, from));
      svg.empty("path", "class", "thin", "d", line(x, to, shape.columns() ? told() + 2 : told()));
    }
    svg.empty("path", "class", "lane " + colour(index), "d", line(x, from, to));
  }

  private static String line(double x, double from, double to) {
    return "M" + Math.round(x) + " " + Math.round(from) + "V" + Math.round(to);
  }

  /** A bar from the command that has to wait to the step that lets it go on. */
  private void waits(Mark mark) {
    for (Drawing.Wait wait : mark.waits()) {
      if (wait.lane() != mark.lane()) {
        continue;
      }
      int until =
          Math.min(Math.max(mark.settledAfter(), mark.number() + 1), drawing.marks().size());
      double from = top(mark.number()) + MIDDLE;
      double to = top(until) + MIDDLE;
      svg.open("g", "class", "wait " + colour(wait.lane()));
      title(LaneWords.wait(drawing, wait) + ", until step " + until);
      svg.empty(
          "rect",
          "x",
          shape.laneX(wait.lane()) - 6,
          "y",
          from - 6,
          "width",
          12,
          "height",
          to - from + 12,
          "rx",
          6);
      svg.close("g");
    }
  }

  private void mark(Mark mark) {
    double y = top(mark.number()) + MIDDLE;
    double x = shape.laneX(mark.lane());
    svg.text("text", Integer.toString(mark.number()), "class", "number", "x", 20, "y", y + 4);
    svg.open("g", "class", "mark " + colour(mark.lane()));
    title(LaneWords.whole(mark));
    symbol(mark, x, y);
    List<String[]> texts = texts(mark);
    for (int i = 0; i < texts.size(); i++) {
      String[] text = texts.get(i);
      double textY = y + 4 + i * 13.5;
      svg.text(
          "text", shape.fit(text[1]), "class", text[0], "x", shape.textX(mark.lane()), "y", textY);
    }
    svg.close("g");
  }

  /** What stands beside a mark: the command, and below it the one thing that matters most. */
  private List<String[]> texts(Mark mark) {
    List<String[]> texts = new ArrayList<>();
    texts.add(new String[] {mark.kind() == Drawing.Kind.START ? "answer" : "command", mark.text()});
    Drawing.Wait own =
        mark.waits().stream().filter(w -> w.lane() == mark.lane()).findFirst().orElse(null);
    if (mark.fault() != null) {
      texts.add(new String[] {"fault", "✗ " + mark.fault()});
    } else if (own != null) {
      texts.add(new String[] {"waiting", LaneWords.wait(drawing, own)});
    } else if (mark.answer() != null) {
      texts.add(new String[] {"answer", "→ " + mark.answer()});
    }
    return texts;
  }

  private void symbol(Mark mark, double x, double y) {
    if (mark.fault() != null) {
      svg.empty("circle", "class", "struck", "cx", x, "cy", y, "r", 8);
      String cross = "M%d %dl7 7m0 -7l-7 7".formatted(Math.round(x - 3.5), Math.round(y - 3.5));
      svg.empty("path", "class", "cross", "d", cross);
    } else if (mark.kind() == Drawing.Kind.REDIS) {
      String diamond = "M%d %dl6.5 6.5l-6.5 6.5l-6.5 -6.5z";
      svg.empty("path", "class", "dot", "d", diamond.formatted(Math.round(x), Math.round(y - 6.5)));
    } else {
      String type = mark.kind() == Drawing.Kind.START ? "dot hollow" : "dot";
      svg.empty("circle", "class", type, "cx", x, "cy", y, "r", 5);
    }
  }

  /** Numbers that changed stand out; the others are there to be looked up. */
  private void books(
      Drawing.@Nullable Books now, Drawing.@Nullable Books before, double top, boolean part) {
    if (now == null) {
      return;
    }
    for (int i = 0; i < ledgers.columns().size(); i++) {
      Ledgers.Column column = ledgers.columns().get(i);
      String text = column.text(now);
      boolean same = before != null && column.text(before).equals(text);
      String style = part ? "parted" : same ? "same" : "new";
      svg.text("text", text, "class", style, "x", shape.bookX(i), "y", top + MIDDLE + 4);
    }
  }

  /** What each was told, and, where only rest shows what is wrong, what was seen then. */
  private void end(Drawing.@Nullable Books last) {
    double y = told();
    for (int i = 0; i < drawing.lanes().size(); i++) {
      Drawing.Lane lane = drawing.lanes().get(i);
      String told = lane.told() == null ? "" : "told " + lane.told();
      if (shape.columns()) {
        svg.text(
            "text",
            shape.fit(told),
            "class",
            "told " + colour(i),
            "x",
            shape.laneX(i) - 4,
            "y",
            y + 16);
      } else if (!told.isEmpty()) {
        String text = shape.fit(lane.letter() + " " + told);
        svg.text("text", text, "class", "told " + colour(i), "x", shape.textX(i), "y", y + 12);
        y += 18;
      }
    }
    if (partsAtRest()) {
      atRest(last, shape.columns() ? y + 26 : y + 4);
    }
  }

  private void atRest(Drawing.@Nullable Books last, double y) {
    double width = shape.width();
    double height = 20 + 18.0 * drawing.probes().size();
    svg.empty("rect", "class", "part", "x", 0, "y", y - 3, "width", width, "height", height);
    svg.text("text", "at rest", "class", "parts", "x", 8, "y", y + MIDDLE);
    books(drawing.atRest(), last, y - 4, true);
    for (int i = 0; i < drawing.probes().size(); i++) {
      Drawing.Probe probe = drawing.probes().get(i);
      String text =
          "user %s %s → %s"
              .formatted(
                  probe.user(),
                  probe.fresh() ? "asks for the first time" : "asks again",
                  probe.told());
      svg.text("text", text, "class", "command", "x", 8, "y", y + MIDDLE + 18 * (i + 1));
    }
  }

  private void title(String text) {
    if (hover) {
      svg.text("title", text);
    }
  }

  private static String colour(int lane) {
    return "l" + lane % 4;
  }
}
