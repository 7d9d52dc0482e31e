package io.stockproof.verification.protocol;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * How much of the protocol is explored.
 *
 * @param users of each request, from 0; at most three requests
 * @param total units, 1 or 2
 * @param faults most faults in one run
 * @param kinds of faults
 * @param reconciliations how often the reconciler may begin
 * @param rebuildOwners whose rebuilds may begin, one entry a rebuild; at most two
 * @param openings how often somebody may open what is open; only where opening is no rebuild
 * @param without parts that are left out
 */
record Scope(
    List<Integer> users,
    int total,
    int faults,
    Set<Fault> kinds,
    int reconciliations,
    List<Integer> rebuildOwners,
    int openings,
    Set<Part> without) {

  Scope {
    users = List.copyOf(users);
    rebuildOwners = List.copyOf(rebuildOwners);
    kinds = Set.copyOf(kinds);
    without = Set.copyOf(without);
    if (users.size() > State.REQUESTS - 1 || total > 2 || rebuildOwners.size() > 2) {
      throw new IllegalArgumentException("beyond what a state has room for");
    }
  }

  /** Requests of these users, no fault, nobody else. */
  static Scope of(int total, Integer... users) {
    return new Scope(List.of(users), total, 0, Set.of(), 0, List.of(), 0, Set.of());
  }

  /** Up to so many of these faults; of all where none is named. */
  Scope faults(int most, Fault... named) {
    Set<Fault> some = named.length == 0 ? EnumSet.allOf(Fault.class) : Set.of(named);
    return new Scope(users, total, most, some, reconciliations, rebuildOwners, openings, without);
  }

  Scope reconciliations(int most) {
    return new Scope(users, total, faults, kinds, most, rebuildOwners, openings, without);
  }

  /** One rebuild may begin for each, by the instance of this number. */
  Scope rebuilds(Integer... owners) {
    return new Scope(
        users, total, faults, kinds, reconciliations, List.of(owners), openings, without);
  }

  Scope openings(int most) {
    return new Scope(users, total, faults, kinds, reconciliations, rebuildOwners, most, without);
  }

  Scope without(Part... parts) {
    return new Scope(
        users, total, faults, kinds, reconciliations, rebuildOwners, openings, Set.of(parts));
  }

  boolean has(Part part) {
    return !without.contains(part);
  }

  int requests() {
    return users.size();
  }

  int rebuilds() {
    return rebuildOwners.size();
  }

  /** A rebuild that is none of the numbered ones belongs to an instance of its own. */
  int owner(int rebuild) {
    return rebuild < rebuilds() ? rebuildOwners.get(rebuild) : 100 + rebuild;
  }
}
