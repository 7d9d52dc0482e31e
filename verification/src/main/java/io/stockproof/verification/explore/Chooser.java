package io.stockproof.verification.explore;

import java.util.List;

/**
 * Decides at each step who goes next. One object steers one run at a time, on the scheduler's
 * thread.
 */
interface Chooser {

  /**
   * Picks one of the options.
   *
   * @param step position in the run, from 0
   * @param options who can go, at least one, in order of actor
   * @return the actor of one of the options
   */
  int choose(int step, List<Option> options);

  /**
   * Tells what the step chosen last turned out to touch, before the next is chosen: more is known
   * then than when it was chosen.
   */
  default void took(Footprint footprint) {}

  /**
   * What an actor would do next.
   *
   * @param actor who
   * @param footprint what it would touch
   * @param blocked whether a row lock that it needs is known to be held by another's open
   *     transaction
   * @param command the same for the same command of the same instance, and for no other as far as a
   *     hash can tell
   */
  record Option(int actor, Footprint footprint, boolean blocked, int command) {}

  /**
   * What was done.
   *
   * @param actor who
   * @param footprint what it touched
   * @param enabledBy place of another actor's step without which this one could not have been next:
   *     it gave back a lock or left a monitor; -1 if there is none
   */
  record Done(int actor, Footprint footprint, int enabledBy) {}
}
