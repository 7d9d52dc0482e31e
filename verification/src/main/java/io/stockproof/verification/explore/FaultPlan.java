package io.stockproof.verification.explore;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which commands meet which fault, whatever the order of the run.
 *
 * @param strikes in order of actor and command
 */
record FaultPlan(List<Strike> strikes) {

  static final FaultPlan CALM = new FaultPlan(List.of());

  FaultPlan {
    strikes = strikes.stream().sorted().toList();
  }

  /**
   * One fault.
   *
   * @param actor whose command
   * @param command which of the actor's commands, from 0
   * @param fault what happens to it
   */
  record Strike(int actor, int command, CommandFault fault) implements Comparable<Strike> {
    @Override
    public int compareTo(Strike other) {
      int byActor = Integer.compare(actor, other.actor);
      int byCommand = byActor != 0 ? byActor : Integer.compare(command, other.command);
      return byCommand != 0 ? byCommand : fault.compareTo(other.fault);
    }
  }

  int size() {
    return strikes.size();
  }

  @Nullable CommandFault at(int actor, int command) {
    for (Strike strike : strikes) {
      if (strike.actor() == actor && strike.command() == command) {
        return strike.fault();
      }
    }
    return null;
  }

  /** This plan and one more fault; null if that command has one already. */
  @Nullable FaultPlan and(Strike strike) {
    if (at(strike.actor(), strike.command()) != null) {
      return null;
    }
    List<Strike> more = new ArrayList<>(strikes);
    more.add(strike);
    return new FaultPlan(more);
  }

  FaultPlan without(Strike strike) {
    return new FaultPlan(strikes.stream().filter(other -> !other.equals(strike)).toList());
  }
}
