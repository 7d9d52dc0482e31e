package io.stockproof.verification.protocol;

import io.stockproof.verification.rules.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Goes through every state of a scope, nearest first, so that the first way to a broken rule is a
 * shortest one.
 */
final class ModelSearch {

  private static final int START = -1;

  private final Scope scope;
  private final Protocol protocol;
  private final StateStore store;
  private final long[] words;
  private final Map<Rule, Way> broken = new EnumMap<>(Rule.class);

  /** Where a rule broke: the state, and the step out of it if it was that. */
  private record Way(int state, String last, String how) {}

  /**
   * What a search found.
   *
   * @param states how many there are
   * @param quiescent of them with nobody under way, each brought to rest and probed
   * @param exhausted whether all were seen
   * @param seconds it took
   * @param traces by broken rule the shortest way there, a line a step
   */
  record Result(
      int states, int quiescent, boolean exhausted, double seconds, Map<Rule, String> traces) {}

  ModelSearch(Scope scope) {
    this.scope = scope;
    this.protocol = new Protocol(scope);
    int width = State.words(scope);
    this.store = new StateStore(width);
    this.words = new long[State.MOST_WORDS];
  }

  /** Until every state was seen, or a rule is broken for which that is enough. */
  Result until(Predicate<Rule> enough) {
    long begun = System.nanoTime();
    new State(scope).encode(words);
    store.add(words, START);
    int quiescent = 0;
    int at = 0;
    while (at < store.size() && broken.keySet().stream().noneMatch(enough)) {
      State state = store.state(scope, at);
      int index = at++;
      if (state.quiescent()) {
        quiescent++;
        for (Broken found : new AtRest(scope, protocol, state).judge()) {
          broken.putIfAbsent(found.rule(), new Way(index, "(at rest)", found.how()));
        }
      }
      protocol.steps(state, (event, next) -> found(index, event, next));
    }
    Map<Rule, String> traces = new EnumMap<>(Rule.class);
    broken.forEach((rule, way) -> traces.put(rule, trace(rule, way)));
    return new Result(
        store.size(), quiescent, at == store.size(), (System.nanoTime() - begun) / 1e9, traces);
  }

  private void found(int from, Event event, State next) {
    for (Broken found : next.broken) {
      if (!broken.containsKey(found.rule())) {
        broken.put(found.rule(), new Way(from, event.toString(), found.how()));
      }
    }
    next.encode(words);
    store.add(words, from);
  }

  private String trace(Rule rule, Way way) {
    List<String> lines = new ArrayList<>();
    lines.add("      " + way.last());
    for (int at = way.state(); store.parent(at) != START; at = store.parent(at)) {
      lines.add(0, line(store.parent(at), at));
    }
    lines.add(0, rule + " " + way.how());
    return String.join("\n", lines);
  }

  /** The step from one state to the next, found again. */
  private String line(int from, int to) {
    State target = store.state(scope, to);
    long[] wanted = new long[State.MOST_WORDS];
    target.encode(wanted);
    String[] line = new String[1];
    protocol.steps(
        store.state(scope, from),
        (event, next) -> {
          next.encode(words);
          if (line[0] == null && Arrays.equals(words, wanted)) {
            line[0] = "%-60s %s".formatted(event, target);
          }
        });
    return "      " + line[0];
  }
}
