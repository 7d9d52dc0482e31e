package io.stockproof.chaos;

import io.stockproof.verification.environment.Environment;
import java.time.Duration;

/**
 * One thing that breaks, for a window of time. The values are immutable; all of them are in {@link
 * Faults}.
 */
public sealed interface Fault
    permits ServerFault, InstanceFault, RedisFault, DatabaseFault, WireFault, AtCommands {

  /**
   * What is said of a fault.
   *
   * @param title name on the command line and in records: lower case with hyphens
   * @param family what it belongs to
   * @param usualWindow how long its window is if nobody says otherwise
   * @param meaning what happens, in one line
   */
  record About(String title, FaultFamily family, Duration usualWindow, String meaning) {
    static About of(String title, FaultFamily family, int usualSeconds, String meaning) {
      return new About(title, family, Duration.ofSeconds(usualSeconds), meaning);
    }
  }

  /** What is said of it. */
  About about();

  /** Name on the command line and in records: lower case with hyphens. */
  default String title() {
    return about().title();
  }

  /** What it belongs to. */
  default FaultFamily family() {
    return about().family();
  }

  /** What happens, in one line. */
  default String meaning() {
    return about().meaning();
  }

  /** How long its window is if nobody says otherwise. */
  default Duration usualWindow() {
    return about().usualWindow();
  }

  /** Whether Redis loses data by it (R502). */
  default boolean losesRedisData() {
    return false;
  }

  /**
   * Whether everyone who uses the server meets it, and not the campaign's instances and coupon
   * alone. On servers that were not started here it is done only where that is allowed ({@link
   * Environment#mayBreakServers}).
   */
  default boolean strikesWholeServer() {
    return false;
  }

  /**
   * Whether it needs power over a server, and this environment did not start that server itself.
   */
  default boolean lacksServer(Environment environment) {
    return false;
  }

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
