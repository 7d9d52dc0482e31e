package io.stockproof.verification.protocol;

/** Takes the steps that are possible in a state. */
@FunctionalInterface
interface Sink {
  /** The next state belongs to whoever takes it. */
  void step(Event event, State next);
}
