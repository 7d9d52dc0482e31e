package io.stockproof.chaos;

import java.util.ArrayList;
import java.util.List;

/**
 * What is held back until a fault is over. Once it is, nothing more is held: a command that comes
 * at that moment must not stay here for ever. Thread-safe.
 *
 * @param <T> a command
 */
final class HeldCommands<T> {
  private final List<T> held = new ArrayList<>();
  private boolean over;

  /** Holds it, and says so; false if nothing is held any more. */
  synchronized boolean hold(T command) {
    return !over && held.add(command);
  }

  /** Ends it, and gives back what was held, in order. */
  synchronized List<T> release() {
    over = true;
    List<T> all = List.copyOf(held);
    held.clear();
    return all;
  }
}
