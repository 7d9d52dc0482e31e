package io.stockproof.verification.explore;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one step touches: decides whether its order with another step matters.
 *
 * @param accesses what it reads, locks and makes visible
 * @param needs exact row locks it cannot do without: while another transaction holds one, the
 *     server makes it wait
 * @param frees exact row locks that it gives back
 */
record Footprint(List<Access> accesses, Set<Lock> needs, Set<Lock> frees) {

  /** Touches nothing. */
  static final Footprint NONE = new Footprint(List.of());

  Footprint {
    accesses = List.copyOf(accesses);
    needs = Set.copyOf(needs);
    frees = Set.copyOf(frees);
  }

  Footprint(List<Access> accesses) {
    this(accesses, Set.of(), Set.of());
  }

  /**
   * What sending a command on a shared connection touches: who sends first is decided by the steps
   * after which the commands are sent.
   */
  static Footprint sending(String wire) {
    return new Footprint(List.of(new Access(wire + ":sends", Map.of(), Access.Mode.WRITE)));
  }

  /**
   * What executing a command of a shared connection touches. Nobody overtakes there: each command
   * waits for the one sent before it, as if for a lock.
   */
  static Footprint taking(String wire) {
    Set<Lock> turn = Set.of(new Lock(wire, "turn", ""));
    return new Footprint(
        List.of(new Access(wire + ":turns", Map.of(), Access.Mode.WRITE)), turn, turn);
  }

  /** What this step and another touch together. */
  Footprint and(Footprint other) {
    if (other.equals(NONE)) {
      return this;
    }
    List<Access> both = new ArrayList<>(accesses);
    both.addAll(other.accesses);
    Set<Lock> bothNeed = new HashSet<>(needs);
    bothNeed.addAll(other.needs);
    Set<Lock> bothFree = new HashSet<>(frees);
    bothFree.addAll(other.frees);
    return new Footprint(both, bothNeed, bothFree);
  }

  /** Whether the order of the two steps can matter. */
  boolean dependsOn(Footprint other) {
    for (Access mine : accesses) {
      for (Access theirs : other.accesses) {
        if (mine.conflictsWith(theirs)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Of what it touches, that which belongs to an instance and to no store. */
  Footprint insideInstances() {
    return new Footprint(accesses.stream().filter(Access::insideInstance).toList());
  }

  /** What it touches and another does not. */
  Footprint without(Footprint other) {
    return new Footprint(accesses.stream().filter(a -> !other.accesses.contains(a)).toList());
  }

  /** Whether both would add a row with the same key. */
  boolean insertsLike(Footprint other) {
    return accesses.stream()
        .filter(mine -> mine.mode() == Access.Mode.INSERT)
        .anyMatch(
            mine ->
                other.accesses.stream()
                    .anyMatch(a -> a.mode() == Access.Mode.INSERT && a.conflictsWith(mine)));
  }

  /** Whether steps that others would still take never come once this one is taken. */
  boolean endsOthers() {
    return accesses.stream().anyMatch(Access::endsOthers);
  }

  /**
   * Whether {@code later} could only run because this step gave back a lock: the two cannot change
   * places.
   */
  boolean unblocks(Footprint later) {
    return frees.stream().anyMatch(later.needs::contains);
  }

  /**
   * One row, as a lock sees it.
   *
   * @param place table
   * @param key name of the unique key by which the row was picked
   * @param values its values
   */
  record Lock(String place, String key, String values) {}
}
