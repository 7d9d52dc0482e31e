package io.stockproof.verification.explore;

import io.stockproof.verification.explore.Access.Mode;
import io.stockproof.verification.explore.Chooser.Done;
import io.stockproof.verification.explore.Chooser.Option;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Programs that share keys, a row lock and connections, without any server: small enough to try
 * every order of them. On a connection commands are executed in the order in which they were sent;
 * a command is sent as soon as its actor's last step is done.
 */
final class SharedWires {

  private static final Footprint.Lock ROW = new Footprint.Lock("db:coupon", "PRIMARY", "1");

  private final List<List<Move>> programs;
  private final int[] position;
  private final Map<Integer, Deque<Integer>> queues = new HashMap<>();
  private final Map<String, List<Integer>> writers = new TreeMap<>();
  private final List<StringBuilder> seen = new ArrayList<>();
  private final List<Done> trace = new ArrayList<>();
  private int rowHeldBy = -1;

  private SharedWires(List<List<Move>> programs) {
    this.programs = programs;
    this.position = new int[programs.size()];
    for (int actor = 0; actor < programs.size(); actor++) {
      position[actor] = -1;
      seen.add(new StringBuilder());
    }
  }

  /** What a move does to the one row that can be locked. */
  enum Row {
    NONE,
    TAKE,
    GIVE
  }

  /**
   * One command.
   *
   * @param keys what it reads (lower case) or changes (upper case)
   * @param wire connection that it shares with others; -1 for one of its own
   * @param row what it does to the row
   * @param mayEnd whether it is the last one where it sees an odd number of changes before it
   */
  record Move(String keys, int wire, Row row, boolean mayEnd) {
    boolean takesRow() {
      return row == Row.TAKE;
    }
  }

  /** How a run went: the steps, and everything that anybody has seen or left. */
  record Ended(List<Done> trace, String end) {}

  /**
   * One run.
   *
   * @param waiters whether the chooser is also shown who waits for the row
   */
  static Ended run(List<List<Move>> programs, Chooser chooser, boolean waiters) {
    return new SharedWires(programs).run(chooser, waiters);
  }

  private Ended run(Chooser chooser, boolean waiters) {
    while (true) {
      List<Option> options = options();
      options.removeIf(option -> option.blocked() && !waiters);
      if (options.isEmpty()) {
        return new Ended(trace, seen + " " + writers);
      }
      if (!trace.isEmpty()) {
        chooser.took(trace.get(trace.size() - 1).footprint());
      }
      int actor = chooser.choose(trace.size(), options);
      trace.add(new Done(actor, act(actor), -1));
    }
  }

  private List<Option> options() {
    List<Option> options = new ArrayList<>();
    for (int actor = 0; actor < programs.size(); actor++) {
      if (position[actor] < 0) {
        options.add(new Option(actor, start(), false, 100 * actor));
      } else if (position[actor] < programs.get(actor).size()) {
        Move move = next(actor);
        boolean first = move.wire < 0 || queue(move.wire).getFirst() == actor;
        if (first) {
          boolean blocked = move.takesRow() && rowHeldBy >= 0 && rowHeldBy != actor;
          options.add(new Option(actor, touched(move), blocked, 100 * actor + position[actor] + 1));
        }
      }
    }
    return options;
  }

  private Move next(int actor) {
    return programs.get(actor).get(position[actor]);
  }

  private Deque<Integer> queue(int wire) {
    return queues.computeIfAbsent(wire, w -> new ArrayDeque<>());
  }

  private Footprint act(int actor) {
    Footprint touched = start();
    boolean ends = false;
    if (position[actor] >= 0) {
      Move move = next(actor);
      touched = touched(move);
      ends = look(actor, move) % 2 == 1 && move.mayEnd;
      if (move.wire >= 0) {
        queue(move.wire).removeFirst();
      }
      rowHeldBy = move.row == Row.TAKE ? actor : move.row == Row.GIVE ? -1 : rowHeldBy;
    }
    position[actor] = ends ? programs.get(actor).size() : position[actor] + 1;
    if (position[actor] < programs.get(actor).size() && next(actor).wire >= 0) {
      queue(next(actor).wire).add(actor);
      touched = touched.and(Footprint.sending("wire:" + next(actor).wire));
    }
    return touched;
  }

  private int look(int actor, Move move) {
    int changes = 0;
    for (char key : move.keys.toCharArray()) {
      List<Integer> before =
          writers.computeIfAbsent(
              Character.toString(Character.toLowerCase(key)), k -> new ArrayList<>());
      changes += before.size();
      seen.get(actor).append(key).append(before);
      if (Character.isUpperCase(key)) {
        before.add(actor);
      }
    }
    return changes;
  }

  private static Footprint start() {
    return new Footprint(List.of(new Access("jvm:0", Map.of(), Mode.WRITE)));
  }

  private static Footprint touched(Move move) {
    List<Access> accesses = new ArrayList<>();
    for (char key : move.keys.toCharArray()) {
      accesses.add(
          new Access(
              "redis:" + Character.toLowerCase(key),
              Map.of(),
              Character.isUpperCase(key) ? Mode.WRITE : Mode.READ));
    }
    Map<String, String> row = Map.of("PRIMARY", "1");
    Footprint keys = new Footprint(accesses);
    if (move.wire >= 0) {
      keys = keys.and(Footprint.taking("wire:" + move.wire));
    }
    return switch (move.row) {
      case NONE -> keys;
      case TAKE ->
          keys.and(
              new Footprint(
                  List.of(new Access("db:coupon", row, Mode.LOCK)), Set.of(ROW), Set.of()));
      case GIVE ->
          keys.and(
              new Footprint(
                  List.of(new Access("db:coupon", row, Mode.WRITE)), Set.of(), Set.of(ROW)));
    };
  }
}
