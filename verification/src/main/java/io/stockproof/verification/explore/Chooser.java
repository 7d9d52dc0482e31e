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
   * Told what the step just made has touched, which is known for certain only afterwards.
   *
   * @param step position in the run, from 0
   */
  default void made(int step, Footprint footprint) {}

  /**
   * What an actor would do next.
   *
   * @param actor who
   * @param footprint what it would touch
   * @param blocked whether a row lock that it needs is known to be held by another's open
   *     transaction
   */
  record Option(int actor, Footprint footprint, boolean blocked) {}

  /**
   * What was done.
   *
   * @param actor who
   * @param footprint what it touched
   */
  record Done(int actor, Footprint footprint) {}
}
