package io.stockproof.verification.explore;

import io.stockproof.verification.explore.Access.Mode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who waits for a lock and for whom, or would if he were let through. Letting somebody wait mostly
 * gives the same as letting him through once the lock is free; this says where it does not.
 */
final class Waits {

  /** What those who are let through to wait touch: it may matter who is first in line. */
  static final Footprint IN_LINE =
      new Footprint(List.of(new Access("db:line", Map.of(), Mode.WRITE)));

  private final Map<Actor, Set<Actor>> holders = new LinkedHashMap<>();
  private final Map<Actor, Footprint> wanted = new LinkedHashMap<>();

  void add(Actor actor, Footprint footprint, Set<Actor> holdersOfItsLocks) {
    wanted.put(actor, footprint);
    holders.put(actor, holdersOfItsLocks);
  }

  /**
   * Who is to be let through although he will wait.
   *
   * <ul>
   *   <li>Those who wait for each other in a circle: the server gives one of them up, and others
   *       may go on before or after.
   *   <li>Those who would insert the same key as another who waits: if the first is rolled back,
   *       InnoDB lets all of them share its lock, and so into a deadlock (MySQL manual, "Locks Set
   *       by Different SQL Statements in InnoDB").
   * </ul>
   */
  Set<Actor> letThrough() {
    Set<Actor> through = new HashSet<>();
    for (Actor actor : holders.keySet()) {
      if (waitsForItself(actor) || insertsWithAnother(actor)) {
        through.add(actor);
      }
    }
    return through;
  }

  private boolean waitsForItself(Actor actor) {
    Set<Actor> seen = new HashSet<>();
    Deque<Actor> open = new ArrayDeque<>(holders.getOrDefault(actor, Set.of()));
    while (!open.isEmpty()) {
      Actor next = open.remove();
      if (next == actor) {
        return true;
      }
      if (seen.add(next)) {
        open.addAll(holders.getOrDefault(next, Set.of()));
      }
    }
    return false;
  }

  private boolean insertsWithAnother(Actor actor) {
    Footprint own = wanted.getOrDefault(actor, Footprint.NONE);
    return wanted.entrySet().stream()
        .filter(other -> other.getKey() != actor)
        .filter(other -> !holders.getOrDefault(other.getKey(), Set.of()).isEmpty())
        .anyMatch(other -> other.getValue().insertsLike(own));
  }
}
