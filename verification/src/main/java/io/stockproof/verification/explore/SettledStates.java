package io.stockproof.verification.explore;

import io.stockproof.verification.explore.Chooser.Done;
import io.stockproof.verification.explore.Chooser.Option;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * States after which every order was tried. Orders that differ only where steps do not depend on
 * each other lead to one state; what can follow it need be tried once. How runs went on from there
 * is kept, for what follows may race with each way that led there.
 */
final class SettledStates {

  private record Event(int actor, BitSet history) {}

  /**
   * How a run went on from a state.
   *
   * @param event number of its first step
   * @param done that step; {@link Done#enabledBy} is the number of a step, not a place
   * @param options what could go there
   * @param next what came after it; null if nothing did
   */
  record Rest(int event, Done done, List<Option> options, @Nullable Rest next) {}

  private record Settled(Set<Integer> asleep, List<Rest> rests) {}

  private final Map<Event, Integer> numbers = new HashMap<>();
  private final Map<BitSet, List<Settled>> settled = new HashMap<>();

  /** Forgets every state: what depends on what has changed. */
  void clear() {
    numbers.clear();
    settled.clear();
  }

  /**
   * Every order from the state was tried.
   *
   * @param asleep who was left out there, as what begins with them was tried elsewhere
   */
  void add(BitSet state, Set<Integer> asleep, List<Rest> rests) {
    settled.computeIfAbsent(state, s -> new ArrayList<>()).add(new Settled(asleep, rests));
  }

  /** How runs went on from the state; null if not everything that is awake was tried from there. */
  @Nullable List<Rest> restsOf(BitSet state, Set<Integer> asleep) {
    for (Settled one : settled.getOrDefault(state, List.of())) {
      if (asleep.containsAll(one.asleep)) {
        return one.rests;
      }
    }
    return null;
  }

  /** The numbers of the steps of a run: the same for the same step after the same steps. */
  int[] number(List<Done> trace) {
    Reduction.Order order = new Reduction.Order(trace);
    int[] events = new int[trace.size()];
    for (int i = 0; i < events.length; i++) {
      BitSet history = new BitSet();
      order.before(i).stream().forEach(j -> history.set(events[j]));
      Event event = new Event(trace.get(i).actor(), history);
      events[i] = numbers.computeIfAbsent(event, one -> numbers.size());
    }
    return events;
  }

  /** The state before a step of a run. */
  static BitSet stateBefore(int step, int[] events) {
    BitSet state = new BitSet();
    for (int i = 0; i < step; i++) {
      state.set(events[i]);
    }
    return state;
  }

  /** The step with the number, or -1, of the one that enabled it instead of its place. */
  static Done numbered(Done done, int[] events) {
    int enabler = done.enabledBy();
    return new Done(done.actor(), done.footprint(), enabler < 0 ? -1 : events[enabler]);
  }

  /**
   * The run that comes to a state in one way and goes on as another did.
   *
   * @param way the steps that led there
   * @param events their numbers
   */
  static List<Done> together(List<Done> way, int[] events, Rest rest) {
    List<Done> whole = new ArrayList<>(way);
    Map<Integer, Integer> places = new HashMap<>();
    for (int i = 0; i < way.size(); i++) {
      places.put(events[i], i);
    }
    for (Rest one = rest; one != null; one = one.next) {
      Done done = one.done;
      int enabler = places.getOrDefault(done.enabledBy(), -1);
      places.put(one.event, whole.size());
      whole.add(new Done(done.actor(), done.footprint(), enabler));
    }
    return whole;
  }
}
