package io.stockproof.reports.html;

import io.stockproof.verification.explore.Drawing;
import java.util.stream.Collectors;

/** The picture of a run in words: for hover texts, and for those who cannot see it. */
final class LaneWords {
  private LaneWords() {}

  static String summary(Drawing drawing) {
    String told =
        drawing.lanes().stream()
            .filter(lane -> lane.told() != null)
            .map(lane -> lane.letter() + " is told " + lane.told())
            .collect(Collectors.joining(", "));
    String parts =
        drawing.partsAt() < 1
            ? "what is wrong is seen at rest"
            : "the books part after step " + drawing.partsAt();
    return "Run of %d requests in %d steps on a stock of %d; %s%s. The table below has every step."
        .formatted(
            drawing.lanes().stream().filter(lane -> !lane.late()).count(),
            drawing.marks().size(),
            drawing.stock(),
            parts,
            told.isEmpty() ? "" : "; " + told);
  }

  static String who(Drawing drawing, Drawing.Lane lane) {
    if (lane.late()) {
      return "late delivery";
    }
    return lane.who() + (drawing.instances() > 1 ? " · instance " + (lane.instance() + 1) : "");
  }

  static String wait(Drawing drawing, Drawing.Wait wait) {
    if (wait.holder() < 0) {
      return "waits for a lock";
    }
    String row = wait.row().isEmpty() ? "" : ", row " + wait.row();
    return "blocked by " + drawing.lanes().get(wait.holder()).letter() + row;
  }

  static String whole(Drawing.Mark mark) {
    StringBuilder text = new StringBuilder();
    if (mark.fault() != null) {
      text.append("✗ ").append(mark.fault()).append(": ").append(mark.faultMeaning()).append('\n');
    }
    text.append(mark.statement() == null ? "the request starts" : mark.statement());
    if (mark.answer() != null) {
      text.append("\n→ ").append(mark.answer());
    }
    return text.toString();
  }
}
