package io.stockproof.verification.explore;

import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.explore.Access.Mode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What recovers beside requests does so in one go: once it has begun, nobody else goes on until it
 * ends or has to wait for a lock. So "the reconciler runs here" is a choice of a place, as a fault
 * is, and there are as many as there are places. Beside one request alone, and without a fault, its
 * commands are put between that request's in every order instead: those are few.
 *
 * <p>For the search all of it happens at its first command, which may touch anything; the others
 * touch nothing more. Used by the scheduler's thread only.
 */
final class OneGo {

  private static final Footprint ANYTHING =
      new Footprint(List.of(Access.whole("redis", Mode.WRITE), Access.whole("db", Mode.WRITE)));

  private final Set<Integer> actors = new HashSet<>();

  OneGo(Scenario scenario, FaultPlan plan) {
    List<Request> requests = scenario.requests();
    boolean few = requests.size() <= 2 && plan.size() == 0;
    for (int actor = 0; actor < requests.size(); actor++) {
      if (requests.get(actor).recovers() && !few) {
        actors.add(actor);
      }
    }
  }

  /** What the next command of an actor counts as touching; it is interrupted if it has to wait. */
  Footprint next(Actor actor, Footprint own, boolean waits) {
    if (!actors.contains(actor.index)) {
      return own;
    }
    actor.going &= !waits;
    return actor.going ? part(actor, own) : own.and(ANYTHING);
  }

  /** A command of the actor was let through. */
  void went(Actor actor) {
    actor.going = actors.contains(actor.index);
  }

  /** What happens in the middle was counted when it began; locks are locks all the same. */
  Footprint part(Actor actor, Footprint own) {
    return actors.contains(actor.index) ? new Footprint(List.of(), own.needs(), own.frees()) : own;
  }

  /** The server has it wait: others go on, and what it was about to do happens beside them. */
  Footprint interrupted(Actor actor) {
    actor.going = false;
    return actors.contains(actor.index) ? ANYTHING : Footprint.NONE;
  }
}
