package io.stockproof.verification.explore;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * Every order of the steps up to equivalence, depth first: dynamic partial-order reduction with
 * source sets and sleep sets. Two orders are equivalent if they differ only in the order of
 * neighbouring steps that do not depend on each other ({@link Footprint#dependsOn}).
 *
 * <p>Use: {@link #choose} during a run, {@link #finished} after it, {@link #hasNext} before the
 * next. A step that is known to wait for a row lock is not tried while anyone else can go: letting
 * it through and waiting gives the same as letting it through once the lock is free. Where everyone
 * waits, it is let through, so that deadlocks are real.
 *
 * <p>Not thread-safe. With {@code reduce = false} every order is tried; that is for checking the
 * reduction.
 */
final class Reduction implements Chooser {

  private final boolean reduce;
  private final List<Node> path = new ArrayList<>();
  private boolean started;
  private boolean redundant;
  private boolean diverged;
  private int last = -1;

  Reduction(boolean reduce) {
    this.reduce = reduce;
  }

  /** A state on the current path, and what is still to be tried from it. */
  private static final class Node {
    final List<Option> options;
    final TreeSet<Integer> toTry = new TreeSet<>();
    final TreeSet<Integer> tried = new TreeSet<>();
    final Map<Integer, Footprint> asleep = new HashMap<>();
    int chosen = -1;
    Footprint made = Footprint.NONE;

    Node(List<Option> options) {
      this.options = options;
    }

    boolean sameAs(List<Option> others) {
      return options.stream()
          .map(Option::actor)
          .toList()
          .equals(others.stream().map(Option::actor).toList());
    }

    boolean canGo(int actor) {
      return options.stream().anyMatch(option -> option.actor() == actor && !option.blocked());
    }

    int nextToTry() {
      for (int actor : toTry) {
        if (!tried.contains(actor) && !asleep.containsKey(actor)) {
          return actor;
        }
      }
      return -1;
    }
  }

  /** Whether another run is needed; if so, the next calls to {@link #choose} lead to it. */
  boolean hasNext() {
    if (!started) {
      started = true;
      return true;
    }
    redundant = false;
    diverged = false;
    last = -1;
    while (!path.isEmpty()) {
      Node node = path.get(path.size() - 1);
      int next = node.nextToTry();
      if (next >= 0) {
        // What was tried from here and does not depend on the new step need not be tried after it.
        node.asleep.put(node.chosen, node.made);
        node.chosen = next;
        node.tried.add(next);
        return true;
      }
      path.remove(path.size() - 1);
    }
    return false;
  }

  /** Whether the run under way only repeats what was seen: its end need not be looked at. */
  boolean redundant() {
    return redundant;
  }

  /**
   * Whether the run under way did not come to the states that it was led to: its races mean
   * nothing.
   */
  boolean diverged() {
    return diverged;
  }

  @Override
  public int choose(int step, List<Option> options) {
    last = pick(step, options);
    return last;
  }

  @Override
  public void made(int step, Footprint footprint) {
    if (!redundant && step < path.size()) {
      path.get(step).made = footprint;
    }
  }

  private int pick(int step, List<Option> options) {
    if (redundant) {
      return fallback(options);
    }
    if (step < path.size()) {
      Node known = path.get(step);
      if (!known.sameAs(options)) {
        diverged = true;
        redundant = true;
        return fallback(options);
      }
      return known.chosen;
    }
    Node node = new Node(List.copyOf(options));
    if (reduce && step > 0) {
      inheritSleep(path.get(step - 1), node);
    }
    int actor = firstChoice(node);
    if (actor < 0) {
      redundant = true;
      return fallback(options);
    }
    node.chosen = actor;
    node.tried.add(actor);
    node.toTry.add(actor);
    if (!reduce) {
      options.forEach(option -> node.toTry.add(option.actor()));
    }
    path.add(node);
    return actor;
  }

  private static void inheritSleep(Node before, Node node) {
    Footprint done = before.made;
    before.asleep.forEach(
        (actor, footprint) -> {
          if (actor != before.chosen && !footprint.dependsOn(done)) {
            node.asleep.put(actor, footprint);
          }
        });
  }

  /** Stays with whoever went last, so that the first runs have few switches. */
  private int firstChoice(Node node) {
    boolean allBlocked = node.options.stream().allMatch(Option::blocked);
    if (allBlocked) {
      // Who is let into a deadlock first decides who is its victim: try each.
      node.options.forEach(option -> node.toTry.add(option.actor()));
    }
    int first = -1;
    for (Option option : node.options) {
      boolean open = !reduce || allBlocked || !option.blocked();
      if (open && !node.asleep.containsKey(option.actor())) {
        if (option.actor() == last) {
          return last;
        }
        first = first < 0 ? option.actor() : first;
      }
    }
    return first;
  }

  private int fallback(List<Option> options) {
    int first = -1;
    for (Option option : options) {
      if (!option.blocked()) {
        if (option.actor() == last) {
          return last;
        }
        first = first < 0 ? option.actor() : first;
      }
    }
    return first < 0 ? options.get(0).actor() : first;
  }

  /**
   * Finds the races of the run that has ended, and adds the orders that reverse them.
   *
   * @param trace its steps in order, with what they turned out to touch
   */
  void finished(List<Done> trace) {
    if (!reduce || diverged) {
      return;
    }
    int length = Math.min(trace.size(), path.size());
    Order order = new Order(trace);
    for (int later = 1; later < length; later++) {
      for (int race : order.racesOf(later, path::get)) {
        addReversal(path.get(race), order.initials(race, later));
      }
    }
  }

  private static void addReversal(Node node, BitSet initials) {
    for (int actor = initials.nextSetBit(0); actor >= 0; actor = initials.nextSetBit(actor + 1)) {
      if (node.toTry.contains(actor) || node.asleep.containsKey(actor)) {
        return;
      }
    }
    for (int actor = initials.nextSetBit(0); actor >= 0; actor = initials.nextSetBit(actor + 1)) {
      if (node.canGo(actor)) {
        node.toTry.add(actor);
        return;
      }
    }
    // Nobody who could start the reversal can go here: whoever can may open the way to it.
    node.options.stream()
        .filter(option -> !option.blocked())
        .forEach(o -> node.toTry.add(o.actor()));
  }

  /** Happens-before of one run. */
  static final class Order {
    private final List<Done> trace;
    private final BitSet[] before;

    Order(List<Done> trace) {
      this.trace = trace;
      this.before = new BitSet[trace.size()];
      for (int i = 0; i < trace.size(); i++) {
        before[i] = new BitSet(i);
        for (int j = i - 1; j >= 0; j--) {
          if (!before[i].get(j) && ordered(j, i)) {
            before[i].set(j);
            before[i].or(before[j]);
          }
        }
      }
    }

    private boolean ordered(int earlier, int later) {
      Done a = trace.get(earlier);
      Done b = trace.get(later);
      return a.actor() == b.actor() || a.footprint().dependsOn(b.footprint());
    }

    /**
     * The steps with which the given one races: neither orders the other through a third step, and
     * they could change places.
     */
    List<Integer> racesOf(int later, IntFunction<Node> nodes) {
      Done step = trace.get(later);
      BitSet ordered = knownTo(step.actor(), later);
      List<Integer> races = new ArrayList<>();
      for (int j = later - 1; j >= 0; j--) {
        Done other = trace.get(j);
        if (other.actor() != step.actor()
            && !ordered.get(j)
            && other.footprint().dependsOn(step.footprint())
            && !other.footprint().unblocks(step.footprint())
            && !waitedAt(nodes.apply(j), step.actor(), j, later)) {
          races.add(j);
          ordered.or(before[j]);
        }
      }
      return races;
    }

    /** Steps that come before the previous step of the actor, and that step. */
    private BitSet knownTo(int actor, int later) {
      BitSet known = new BitSet();
      for (int j = later - 1; j >= 0; j--) {
        if (trace.get(j).actor() == actor) {
          known.or(before[j]);
          known.set(j);
          return known;
        }
      }
      return known;
    }

    /** Whether the step was already next for its actor at that node, and known to wait there. */
    private boolean waitedAt(Node node, int actor, int from, int later) {
      for (int k = from; k < later; k++) {
        if (trace.get(k).actor() == actor) {
          return false;
        }
      }
      return node.options.stream().anyMatch(o -> o.actor() == actor && o.blocked());
    }

    /** Who can go first of the steps that lead to {@code later} without {@code race}. */
    BitSet initials(int race, int later) {
      List<Integer> kept = new ArrayList<>();
      for (int k = race + 1; k < later; k++) {
        if (!before[k].get(race)) {
          kept.add(k);
        }
      }
      kept.add(later);
      BitSet initials = new BitSet();
      BitSet seen = new BitSet();
      for (int i = 0; i < kept.size(); i++) {
        int step = kept.get(i);
        boolean first = true;
        for (int j = 0; j < i && first; j++) {
          int earlier = kept.get(j);
          // An order of the later step through the race itself ends when the race is reversed.
          first = step == later ? !ordered(earlier, later) : !before[step].get(earlier);
        }
        int actor = trace.get(step).actor();
        if (first && !seen.get(actor)) {
          initials.set(actor);
        }
        seen.set(actor);
      }
      return initials;
    }

    /**
     * The same text for every equivalent order: steps sorted by actor as far as their order allows.
     */
    String canonical() {
      int size = trace.size();
      BitSet placed = new BitSet(size);
      StringBuilder text = new StringBuilder(size * 2);
      for (int n = 0; n < size; n++) {
        int best = -1;
        for (int i = placed.nextClearBit(0); i < size; i = placed.nextClearBit(i + 1)) {
          BitSet missing = (BitSet) before[i].clone();
          missing.andNot(placed);
          if (missing.isEmpty() && (best < 0 || trace.get(i).actor() < trace.get(best).actor())) {
            best = i;
          }
        }
        placed.set(best);
        text.append(trace.get(best).actor()).append('.');
      }
      return text.toString();
    }
  }
}
