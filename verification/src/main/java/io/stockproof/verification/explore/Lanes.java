package io.stockproof.verification.explore;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import io.stockproof.verification.wire.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The picture of a run on a terminal: a lane for each request, a line for each command, and the
 * books beside them.
 */
final class Lanes {

  private static final int STEP_WIDTH = 6;
  private static final int LEAST_LANE = 25;
  private static final String CONTINUED = "  ";

  private final Run run;
  private final int width;
  private final long partsAt;
  private final LaneBooks books;
  private final int requests;
  private final boolean sideBySide;
  private final int[] lanes;

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
    this.books = new LaneBooks(run.steps());
    this.requests = run.scenario().requests().size();
    int room = width - STEP_WIDTH - books.width();
    this.sideBySide = room / requests >= LEAST_LANE;
    this.lanes = sideBySide ? widths(room) : new int[] {room};
  }

  /** A, B, C … for the requests of a run; late deliveries get the next letters. */
  static String letter(int actor) {
    return actor < 26 ? Character.toString((char) ('A' + actor)) : "R" + actor;
  }

  /** Each lane as wide as what stands in it; where that is too much, the narrow ones first. */
  private int[] widths(int room) {
    int[] wanted = new int[requests];
    for (int actor = 0; actor < requests; actor++) {
      wanted[actor] = Math.max(LEAST_LANE, title(actor).length() + 1);
    }
    for (Step step : run.steps()) {
      if (step.actor() < requests) {
        int length = describe(step).length() + outcome(step).length() + 1;
        wanted[step.actor()] = Math.max(wanted[step.actor()], length);
      }
      for (Step.Wait wait : step.waiting()) {
        if (wait.actor() < requests) {
          wanted[wait.actor()] = Math.max(wanted[wait.actor()], waits(wait).length() + 1);
        }
      }
    }
    int[] widths = new int[requests];
    List<Integer> byNeed = new ArrayList<>();
    for (int actor = 0; actor < requests; actor++) {
      byNeed.add(actor);
    }
    byNeed.sort(Comparator.comparingInt(actor -> wanted[actor]));
    int left = room;
    for (int n = 0; n < requests; n++) {
      int actor = byNeed.get(n);
      widths[actor] = Math.min(wanted[actor], left / (requests - n));
      left -= widths[actor];
    }
    return widths;
  }

  private String draw() {
    List<String> lines = new ArrayList<>();
    StringBuilder head = new StringBuilder(pad("step", STEP_WIDTH));
    if (sideBySide) {
      for (int actor = 0; actor < requests; actor++) {
        head.append(pad(clip(title(actor), lanes[actor] - 1), lanes[actor]));
      }
    } else {
      String who = "";
      for (int actor = 0; actor < requests; actor++) {
        who += (actor == 0 ? "" : ", ") + title(actor);
      }
      head.append(pad(clip(who, lanes[0] - 1), lanes[0]));
    }
    lines.add(head + books.heading());
    for (int i = 0; i < run.steps().size(); i++) {
      line(run.steps().get(i), i + 1, lines);
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
      if (call.phase() != Call.Phase.SALE) {
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
    return letter(actor) + " (user " + scenario.requests().get(actor).userId() + at + ")";
  }

  private void line(Step step, int number, List<String> lines) {
    boolean inLane = sideBySide && step.actor() < requests;
    String who = inLane ? "" : letter(step.actor()) + ": ";
    int before = inLane ? before(step.actor()) : 0;
    int room = (inLane ? lanes[step.actor()] : total()) - 1;
    List<String> texts = wrapped(who + describe(step), outcome(step), room);
    for (int n = 0; n < texts.size(); n++) {
      boolean last = n == texts.size() - 1;
      String body = pad(" ".repeat(before) + texts.get(n), total());
      String start = n == 0 ? "%3d".formatted(number) : "";
      // The books are those after the command, and stand where it ends.
      String end = last ? books.after(step, number == partsAt) : "";
      lines.add(pad(start, STEP_WIDTH) + body + end);
    }
    for (Step.Wait wait : step.waiting()) {
      lines.add(waitLine(wait));
    }
    if (number == partsAt) {
      String mark = "books part here ↑";
      int under = STEP_WIDTH + total() + books.width();
      lines.add(" ".repeat(Math.max(0, under - mark.length())) + mark);
    }
  }

  private int before(int actor) {
    return Arrays.stream(lanes).limit(actor).sum();
  }

  private int total() {
    return Arrays.stream(lanes).sum();
  }

  private static String waits(Step.Wait wait) {
    return wait.holder() < 0
        ? "┊ waits for a lock"
        : "┊ waits for " + letter(wait.holder()) + ", row " + wait.row();
  }

  private String waitLine(Step.Wait wait) {
    boolean inLane = sideBySide && wait.actor() < requests;
    return inLane
        ? " ".repeat(STEP_WIDTH + before(wait.actor())) + clip(waits(wait), lanes[wait.actor()] - 1)
        : " ".repeat(STEP_WIDTH)
            + clip(letter(wait.actor()) + ": " + waits(wait), width - STEP_WIDTH);
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
