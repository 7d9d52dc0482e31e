package io.stockproof.chaos;

import java.time.Duration;

/**
 * One thing that breaks, for a window of time. The values are immutable; all of them are in {@link
 * Faults}.
 */
public sealed interface Fault
    permits ServerFault, InstanceFault, RedisFault, DatabaseFault, WireFault, AtCommands {

  /** Name on the command line and in records: lower case with hyphens. */
  String title();

  /** What it belongs to. */
  FaultFamily family();

  /** What happens, in one line. */
  String meaning();

  /** How long its window is if nobody says otherwise. */
  Duration usualWindow();

  /** Whether Redis loses data by it (R502). */
  boolean losesRedisData();

  /** Whether it needs power over a server that this project started itself. */
  boolean needsOwnServer();

  /**
   * Does it.
   *
   * @param target what it is done to
   * @param lasts how long its window will be, for faults that end by themselves
   * @return undoes it; called once, also if the run fails
   * @throws Exception if it cannot be done; nothing is left to undo then
   */
  Undo begin(Target target, Duration lasts) throws Exception;

  /** Ends a fault. */
  @FunctionalInterface
  interface Undo {
    /** Nothing to undo. */
    Undo NOTHING = () -> {};

    /**
     * Ends it, and returns when all is as before.
     *
     * @throws Exception if it cannot be ended: the servers are not usable any more
     */
    void undo() throws Exception;
  }
}
