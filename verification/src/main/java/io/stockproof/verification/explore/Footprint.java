package io.stockproof.verification.explore;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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

  /** What this step and another touch together. */
  Footprint and(Footprint other) {
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
