package io.stockproof.verification.explore;

import io.stockproof.verification.explore.SettledStates.Rest;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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

  private static final int MOST_RETRIES = 3;

  private final boolean reduce;
  private final List<Node> path = new ArrayList<>();
  private final Map<Integer, Footprint> learned = new HashMap<>();
  private final SettledStates settled = new SettledStates();
  private boolean started;
  private boolean toldMore;
  private int runsOfThisAttempt;
  private boolean redundant;
  private boolean diverged;
  private int retries;
  private int steps;
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

    /** What the step chosen turned out to touch. */
    Footprint taken = Footprint.NONE;

    /** Who was asleep before anything was tried. */
    Set<Integer> asleepFromStart = Set.of();

    /** The state, whichever equivalent order led to it; null until the first run has ended. */
    @Nullable BitSet state;

    /** How runs went on from here. */
    final List<Rest> rests = new ArrayList<>();

    /** Whether orders from here on were given up. */
    boolean leavesOut;

    Node(List<Option> options) {
      this.options = options;
    }

    /** Whether the same actors would send the same commands. */
    boolean sameAs(List<Option> others) {
      return whoAndWhat(options).equals(whoAndWhat(others));
    }

    private static List<List<Integer>> whoAndWhat(List<Option> options) {
      return options.stream().map(option -> List.of(option.actor(), option.command())).toList();
    }

    void choose(int actor) {
      chosen = actor;
      taken = Footprint.NONE;
      toTry.add(actor);
      tried.add(actor);
      if (endsOthers(options, actor)) {
        // Steps that never come show no race: whoever could go before this one is tried.
        tryAllThatCanGo();
      }
    }

    static boolean endsOthers(List<Option> options, int chosen) {
      return options.stream()
          .anyMatch(option -> option.actor() == chosen && option.footprint().endsOthers());
    }

    int chosenCommand() {
      return options.stream()
          .filter(option -> option.actor() == chosen)
          .mapToInt(Option::command)
          .findFirst()
          .orElse(0);
    }

    void tryAllThatCanGo() {
      options.stream().filter(option -> !option.blocked()).forEach(o -> toTry.add(o.actor()));
    }

    boolean canGo(int actor) {
      return isThere(options, actor, false);
    }

    static boolean isThere(List<Option> options, int actor, boolean blocked) {
      return options.stream()
          .anyMatch(option -> option.actor() == actor && option.blocked() == blocked);
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
    boolean again = diverged && retries < MOST_RETRIES;
    boolean unseen = gaveUp();
    retries = again ? retries + 1 : 0;
    redundant = false;
    diverged = false;
    steps = 0;
    last = -1;
    if (again) {
      return true;
    }
    if (unseen) {
      path.forEach(node -> node.leavesOut = true);
    }
    if (toldMore && runsOfThisAttempt > 1) {
      // What was left out was left out for knowing too little.
      path.clear();
      settled.clear();
    }
    toldMore = false;
    if (path.isEmpty()) {
      runsOfThisAttempt = 0;
      return true;
    }
    while (!path.isEmpty()) {
      Node node = path.get(path.size() - 1);
      int next = node.nextToTry();
      if (next >= 0) {
        if (!unseen) {
          // What was tried from here and does not depend on the new step need not be tried after.
          node.asleep.put(node.chosen, node.taken);
        }
        node.choose(next);
        return true;
      }
      unseen = false;
      path.remove(path.size() - 1);
      if (node.state != null && !node.leavesOut) {
        settled.add(node.state, node.asleepFromStart, node.rests);
      }
    }
    return false;
  }

  /** Whether the run under way only repeats what was seen: its end need not be looked at. */
  boolean redundant() {
    return redundant;
  }

  /**
   * Whether the run under way did not come to the states that it was led to: its races mean
   * nothing. Such a run is made again a few times.
   */
  boolean diverged() {
    return diverged;
  }

  /** Whether the orders that the diverged run was to lead to are given up. */
  boolean gaveUp() {
    return diverged && retries == MOST_RETRIES;
  }

  @Override
  public int choose(int step, List<Option> options) {
    last = pick(step, options);
    steps = step + 1;
    return last;
  }

  @Override
  public void took(Footprint footprint) {
    if (reduce && !redundant && steps <= path.size()) {
      Node node = path.get(steps - 1);
      node.taken = widened(node, footprint);
    }
  }

  /**
   * What the step of a node may touch. What comes of a step inside an instance (whether it sends
   * another command, whether it answers) may depend on what it has read, and so on the order: what
   * was seen of a command once is expected of it always. Only so does it matter to nobody in which
   * order two steps are that do not depend on each other.
   */
  private Footprint widened(Node node, Footprint footprint) {
    int command = node.chosenCommand();
    Footprint known = learned.getOrDefault(command, Footprint.NONE);
    Footprint more = footprint.insideInstances().without(known);
    if (!more.accesses().isEmpty()) {
      known = known.and(more);
      learned.put(command, known);
      toldMore = true;
    }
    return footprint.and(known.without(footprint));
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
      node.asleepFromStart = Set.copyOf(node.asleep.keySet());
    }
    int actor = firstChoice(node);
    if (actor < 0) {
      redundant = true;
      return fallback(options);
    }
    node.choose(actor);
    if (!reduce) {
      options.forEach(option -> node.toTry.add(option.actor()));
    }
    path.add(node);
    return actor;
  }

  private static void inheritSleep(Node before, Node node) {
    before.asleep.forEach(
        (actor, footprint) -> {
          if (actor != before.chosen && !footprint.dependsOn(before.taken)) {
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
    diverged |= trace.size() < path.size();
    if (!reduce || diverged) {
      return;
    }
    int length = path.size();
    runsOfThisAttempt++;
    List<Done> wide = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      Done done = trace.get(i);
      Node node = path.get(i);
      node.taken = widened(node, done.footprint());
      wide.add(new Done(done.actor(), node.taken, done.enabledBy()));
    }
    int[] events = settled.number(trace.subList(0, length));
    List<Rest> rests = cutWhereSettled(events);
    List<Done> way = wide.subList(0, path.size());
    reverseRaces(way, options(null), 0);
    if (rests == null) {
      keep(way, events, null);
      return;
    }
    for (Rest rest : rests) {
      // It would go on from here as it went on there, and race with what has led here.
      reverseRaces(SettledStates.together(way, events, rest), options(rest), way.size());
      keep(way, events, rest);
    }
  }

  /**
   * Ends the path where the run came to a settled state.
   *
   * @return how runs went on from there; null if there is no such state
   */
  private @Nullable List<Rest> cutWhereSettled(int[] events) {
    for (int i = 1; i < path.size(); i++) {
      Node node = path.get(i);
      if (node.state == null) {
        BitSet state = SettledStates.stateBefore(i, events);
        List<Rest> rests = settled.restsOf(state, node.asleepFromStart);
        if (rests != null) {
          path.subList(i, path.size()).clear();
          return rests;
        }
        node.state = state;
      }
    }
    return null;
  }

  /** What could go at each step of the path, and of what comes after it. */
  private List<List<Option>> options(@Nullable Rest rest) {
    List<List<Option>> options = new ArrayList<>();
    path.forEach(node -> options.add(node.options));
    for (Rest one = rest; one != null; one = one.next()) {
      options.add(one.options());
    }
    return options;
  }

  private void keep(List<Done> way, int[] events, @Nullable Rest rest) {
    Rest next = rest;
    for (int i = way.size() - 1; i >= 0; i--) {
      Node node = path.get(i);
      Done done = SettledStates.numbered(way.get(i), events);
      next = new Rest(events[i], done, node.options, next);
      node.rests.add(next);
    }
  }

  private void reverseRaces(List<Done> trace, List<List<Option>> options, int from) {
    Order order = new Order(trace);
    for (int later = from; later < trace.size(); later++) {
      reverseRacesOf(order, options, later);
      List<Option> there = options.get(later);
      int chosen = trace.get(later).actor();
      for (Option option : there) {
        if (option.actor() != chosen && option.blocked() && Node.endsOthers(there, chosen)) {
          // It never comes in this run: what would it have raced with?
          List<Done> instead = new ArrayList<>(trace.subList(0, later));
          instead.add(new Done(option.actor(), option.footprint(), -1));
          reverseRacesOf(new Order(instead), options, later);
        }
      }
    }
  }

  private void reverseRacesOf(Order order, List<List<Option>> options, int later) {
    for (int race : order.racesOf(later, options)) {
      if (race < path.size()) {
        addReversal(path.get(race), order, race, later);
      }
    }
  }

  /**
   * Sees to it that the race is reversed: whoever can go first of the reversal is tried there. What
   * comes before the later step does not depend on the race, and touches the same without it; the
   * later step itself may touch something else once it comes before.
   */
  private static void addReversal(Node node, Order order, int race, int later) {
    List<Integer> first = order.independentBetween(race, later);
    int actor = order.trace.get(later).actor();
    BitSet initials = order.initials(first);
    if (first.isEmpty()) {
      initials.set(actor);
    } else if (order.commutesWithAll(first, actor, node.asleep.get(actor))) {
      return;
    }
    for (int one = initials.nextSetBit(0); one >= 0; one = initials.nextSetBit(one + 1)) {
      if (node.toTry.contains(one) || node.asleep.containsKey(one)) {
        return;
      }
    }
    for (int one = initials.nextSetBit(0); one >= 0; one = initials.nextSetBit(one + 1)) {
      if (node.canGo(one)) {
        node.toTry.add(one);
        return;
      }
    }
    // Nobody who could start the reversal can go here: whoever can may open the way to it.
    node.tryAllThatCanGo();
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

    /** The steps that come before a step in every equivalent order; not to be changed. */
    BitSet before(int step) {
      return before[step];
    }

    private boolean ordered(int earlier, int later) {
      Done a = trace.get(earlier);
      Done b = trace.get(later);
      return a.actor() == b.actor()
          || b.enabledBy() == earlier
          || a.footprint().dependsOn(b.footprint());
    }

    /**
     * The steps with which the given one races: neither orders the other through a third step, and
     * they could change places.
     */
    List<Integer> racesOf(int later, List<List<Option>> options) {
      Done step = trace.get(later);
      BitSet ordered = knownTo(step.actor(), later);
      if (step.enabledBy() >= 0) {
        ordered.or(before[step.enabledBy()]);
        ordered.set(step.enabledBy());
      }
      List<Integer> races = new ArrayList<>();
      for (int j = later - 1; j >= 0; j--) {
        Done other = trace.get(j);
        if (other.actor() != step.actor()
            && !ordered.get(j)
            && other.footprint().dependsOn(step.footprint())
            && couldGoBefore(options.get(j), j, later)) {
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

    /** Whether the later step could be let through before the other one, as far as is known. */
    private boolean couldGoBefore(List<Option> options, int other, int later) {
      Done step = trace.get(later);
      boolean wasNext =
          trace.subList(other, later).stream().noneMatch(d -> d.actor() == step.actor());
      if (wasNext && Node.isThere(options, step.actor(), false)) {
        return true;
      }
      boolean waited = wasNext && Node.isThere(options, step.actor(), true);
      if (waited ? !isFreedInAnyCase(other, later) : wouldWait(other, later)) {
        return false;
      }
      return !trace.get(other).footprint().unblocks(step.footprint()) || isOneOfManyInserts(later);
    }

    /** Whether somebody who has a lock there that the later step needs gives it back only after. */
    private boolean wouldWait(int there, int later) {
      return IntStream.range(there, later)
          .filter(k -> givesBack(k, there, later))
          .anyMatch(k -> k == there || before[k].get(there));
    }

    /** Whether whoever has a lock there that the later step needs can give it back before. */
    private boolean isFreedInAnyCase(int there, int later) {
      return IntStream.range(there + 1, later)
          .filter(k -> givesBack(k, there, later))
          .anyMatch(k -> !before[k].get(there));
    }

    private boolean givesBack(int giver, int there, int later) {
      Footprint step = trace.get(later).footprint();
      return trace.get(giver).footprint().unblocks(step) && took(trace.get(giver), step, there);
    }

    private boolean took(Done giver, Footprint step, int before) {
      Set<Footprint.Lock> locks = new HashSet<>(giver.footprint().frees());
      locks.retainAll(step.needs());
      for (int i = before - 1; i >= 0; i--) {
        Done earlier = trace.get(i);
        if (earlier.actor() == giver.actor()) {
          if (!Collections.disjoint(earlier.footprint().frees(), locks)) {
            return false;
          }
          if (!Collections.disjoint(earlier.footprint().needs(), locks)) {
            return true;
          }
        }
      }
      return false;
    }

    /** See {@link Waits#letThrough}. */
    private boolean isOneOfManyInserts(int step) {
      Footprint footprint = trace.get(step).footprint();
      long inserting =
          trace.stream()
              .filter(d -> d.footprint().insertsLike(footprint))
              .map(Done::actor)
              .distinct()
              .count();
      return inserting > 2;
    }

    /** The steps between that do not come after the race, in order. */
    List<Integer> independentBetween(int race, int later) {
      List<Integer> kept = new ArrayList<>();
      for (int k = race + 1; k < later; k++) {
        if (!before[k].get(race)) {
          kept.add(k);
        }
      }
      return kept;
    }

    /** Who can go first of these steps. */
    BitSet initials(List<Integer> steps) {
      BitSet initials = new BitSet();
      BitSet seen = new BitSet();
      for (int i = 0; i < steps.size(); i++) {
        int step = steps.get(i);
        boolean first = steps.subList(0, i).stream().noneMatch(before[step]::get);
        int actor = trace.get(step).actor();
        if (first && !seen.get(actor)) {
          initials.set(actor);
        }
        seen.set(actor);
      }
      return initials;
    }

    /** Whether a step of the actor that touches this could as well come before all of these. */
    boolean commutesWithAll(List<Integer> steps, int actor, @Nullable Footprint footprint) {
      return footprint != null
          && steps.stream()
              .map(trace::get)
              .noneMatch(done -> done.actor() == actor || done.footprint().dependsOn(footprint));
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
