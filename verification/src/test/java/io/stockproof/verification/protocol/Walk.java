package io.stockproof.verification.protocol;

import java.util.ArrayList;
import java.util.List;

/** One run of the model by the beginnings of its events, and what is broken at its end, at rest. */
final class Walk {

  private final Protocol protocol;
  private final Scope scope;
  private State state;

  Walk(Scope scope) {
    this.scope = scope;
    this.protocol = new Protocol(scope);
    this.state = new State(scope);
  }

  /**
   * Takes the only step that begins so.
   *
   * @throws IllegalArgumentException if there is none, or more than one
   */
  Walk then(String event) {
    List<State> reached = new ArrayList<>();
    List<String> possible = new ArrayList<>();
    protocol.steps(
        state,
        (step, next) -> {
          String words = step.toString().replaceAll(" +", " ");
          possible.add(words);
          if (words.startsWith(event)) {
            reached.add(next);
          }
        });
    if (reached.size() != 1) {
      throw new IllegalArgumentException(event + " is not one of " + possible);
    }
    state = reached.get(0);
    return this;
  }

  List<Broken> atRest() {
    if (!state.quiescent()) {
      throw new IllegalStateException("somebody is under way: " + state);
    }
    return new AtRest(scope, protocol, state).judge();
  }
}
