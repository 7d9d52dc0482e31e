package io.stockproof.verification.explore;

import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import io.stockproof.verification.wire.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  private final Run run;
  private final int width;
  private final long partsAt;

  /**
   * Draws a run.
   *
   * @param width columns of the terminal, 60 or more
   * @param partsAt number of the step after which a rule was broken, from 1; less than 1 if none
   */
  static String draw(Run run, int width, long partsAt) {
    return new Lanes(run, width, partsAt).draw();
  }

  private Lanes(Run run, int width, long partsAt) {
    this.run = run;
    this.width = width;
    this.partsAt = partsAt;
  }

  /** A, B, C … for the requests of a run; late deliveries get the next letters. */
  static String letter(int actor) {
    return actor < 26 ? Character.toString((char) ('A' + actor)) : "R" + actor;
  }

  private String draw() {
    int lanes = run.scenario().requests().size();
    int laneWidth = (width - STEP_WIDTH - BOOKS_WIDTH) / lanes;
    boolean sideBySide = laneWidth >= LEAST_LANE;
    List<String> lines = new ArrayList<>();
    StringBuilder head = new StringBuilder(pad("step", STEP_WIDTH));
    if (sideBySide) {
      for (int actor = 0; actor < lanes; actor++) {
        head.append(pad(title(actor), laneWidth));
      }
    } else {
      laneWidth = width - STEP_WIDTH - BOOKS_WIDTH;
      String who = "";
      for (int actor = 0; actor < lanes; actor++) {
        who += (actor == 0 ? "" : ", ") + title(actor);
      }
      head.append(pad(clip(who, laneWidth - 1), laneWidth));
    }
    lines.add(head + pad("  gate", 7) + pad("  rows", 6) + "  counter");
    for (int i = 0; i < run.steps().size(); i++) {
      line(run.steps().get(i), i + 1, sideBySide, laneWidth, lines);
    }
    if (partsAt < 1 || partsAt > run.steps().size()) {
      atRest(lines);
    }
    return lines.stream().map(String::stripTrailing).collect(Collectors.joining("\n"));
  }

  /** What was asked when all was over, where only that shows what is wrong. */
  private void atRest(List<String> lines) {
    History history = run.history();
    if (history == null) {
      return;
    }
    for (Call call : history.calls()) {
      if (call.phase() == Call.Phase.ASKS_AGAIN || call.phase() == Call.Phase.FRESH) {
        String asks =
            call.phase() == Call.Phase.ASKS_AGAIN ? "asks again" : "asks for the first time";
        String told = call.outcome() == null ? call.error() + "" : call.outcome().name();
        lines.add(clip("at rest, user " + call.userId() + " " + asks + " → " + told, width));
      }
    }
  }

  private String title(int actor) {
    Scenario scenario = run.scenario();
    String at = scenario.instances() > 1 ? "@" + scenario.requests().get(actor).instance() : "";
    Request request = scenario.requests().get(actor);
    String who = request.opensAgain() ? "opens again" : "user " + request.userId();
    return letter(actor) + " (" + who + at + ")";
  }

  private void line(Step step, int number, boolean sideBySide, int laneWidth, List<String> lines) {
    boolean lateDelivery = step.actor() >= run.scenario().requests().size();
    int lane = lateDelivery || !sideBySide ? 0 : step.actor();
    String who = sideBySide && !lateDelivery ? "" : letter(step.actor()) + ": ";
    int room = sideBySide && !lateDelivery ? laneWidth - 1 : width - STEP_WIDTH - BOOKS_WIDTH - 1;
    String outcome = clip(outcome(step), room / 2);
    String command = clip(who + describe(step), room - outcome.length()) + outcome;
    int before = sideBySide ? lane * laneWidth : 0;
    int total = sideBySide ? laneWidth * run.scenario().requests().size() : laneWidth;
    String body = pad(" ".repeat(before) + command, total);
    lines.add(
        pad("%3d".formatted(number), STEP_WIDTH) + body + books(step.books(), number == partsAt));
    for (Step.Wait wait : step.waiting()) {
      String text =
          wait.holder() < 0
              ? "┊ waits for a lock"
              : "┊ waits for " + letter(wait.holder()) + ", row " + wait.row();
      boolean inLane = sideBySide && wait.actor() < run.scenario().requests().size();
      lines.add(
          inLane
              ? " ".repeat(STEP_WIDTH + wait.actor() * laneWidth) + clip(text, laneWidth - 1)
              : " ".repeat(STEP_WIDTH)
                  + clip(letter(wait.actor()) + ": " + text, width - STEP_WIDTH));
    }
    if (number == partsAt) {
      String mark = "books part here ↑";
      int under = STEP_WIDTH + total + BOOKS_WIDTH;
      lines.add(" ".repeat(Math.max(0, under - mark.length())) + mark);
    }
  }

  private static String books(@Nullable StoreState state, boolean part) {
    if (state == null) {
      return "";
    }
    String gate = state.gateStock() == StoreState.MISSING ? "-" : Long.toString(state.gateStock());
    String counter = state.counter() < 0 ? "-" : Long.toString(state.counter());
    return "%6s%6d%9s%s".formatted(gate, state.rows(), counter, part ? "◄" : "");
  }

  /** What a step did, in the words of its command. */
  static String describe(Step step) {
    Words words = step.words();
    if (words == null) {
      return "starts";
    }
    String text = words.redis() ? redis(words) : sql(words);
    CommandFault fault = step.fault();
    if (fault != null) {
      return "✗ " + fault.title() + ": " + text;
    }
    return text;
  }

  /**
   * What the server answered, as far as it says something; dots if nothing came before the next
   * step.
   */
  static String outcome(Step step) {
    Words words = step.words();
    Reply reply = step.reply();
    CommandFault fault = step.fault();
    if (words == null || (fault != null && fault.hidesReply())) {
      return "";
    }
    return reply == null ? " …" : outcome(words, reply);
  }

  private static String outcome(Words words, Reply reply) {
    if (reply.error()) {
      return reply.code() > 0
          ? " → error " + reply.code()
          : " → " + reply.text().replaceAll(" .*", "");
    }
    if (!reply.values().isEmpty()) {
      return " → "
          + reply.values().stream()
              .map(v -> Objects.requireNonNullElse(v, "null"))
              .collect(Collectors.joining(", "));
    }
    if (words.name().equals("UPDATE") && reply.affectedRows() == 0) {
      return " → 0 rows";
    }
    return words.name().equals("SELECT") && reply.rows() == 0 ? " → none" : "";
  }

  private static String redis(Words words) {
    String keys =
        words.keys().stream()
            .map(key -> key.replaceAll("^coupon:\\{?1}?:", ""))
            .collect(Collectors.joining(" "));
    return words.name() + (keys.isEmpty() ? "" : " " + keys);
  }

  private static String sql(Words words) {
    String shown = words.statement().replaceAll("\\s+", " ").trim();
    Map<Integer, String> values = new LinkedHashMap<>();
    StringBuilder filled = new StringBuilder();
    int next = 0;
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      if (c == '?' && next < words.parameters().size()) {
        values.put(next, words.parameters().get(next));
        filled.append(values.get(next++));
      } else {
        filled.append(c);
      }
    }
    return filled
        .toString()
        .replaceAll("(?i)INSERT INTO (\\S+) ?\\([^)]*\\) ?VALUES ?", "INSERT $1 ")
        .replaceAll("(?i)SELECT (.*?) FROM (\\S+) WHERE .*?( FOR UPDATE)?$", "SELECT $1 … $2$3");
  }

  private static String clip(String text, int room) {
    return text.length() <= room ? text : text.substring(0, Math.max(0, room - 1)) + "…";
  }

  private static String pad(String text, int columns) {
    return text.length() >= columns ? text : text + " ".repeat(columns - text.length());
  }
}
