package io.stockproof.chaos;

import java.time.Duration;

/**
 * How a campaign is run, and what it must keep.
 *
 * @param duration of the load, beside rest and probes
 * @param ratePerSecond calls that begin each second, whatever became of those before (open loop)
 * @param instances application instances
 * @param poolSize database connections of each
 * @param callDeadline a call that takes longer hangs (R306)
 * @param restWithin after the last fault and the last call all is at rest (R205)
 * @param ownJvms whether each instance is a JVM of its own, which can be killed; of built-in
 *     subjects only
 * @param resumesWithin after the end of a fault every instance issues again (R501)
 */
public record CampaignSettings(
    Duration duration,
    int ratePerSecond,
    int instances,
    int poolSize,
    Duration callDeadline,
    Duration restWithin,
    boolean ownJvms,
    Duration resumesWithin) {

  private static final int MOST_CALLS = 1_000_000;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public CampaignSettings {
    atLeastOne("rate", ratePerSecond);
    atLeastOne("instances", instances);
    atLeastOne("pool", poolSize);
    if (duration.toMillis() < 1_000) {
      throw new IllegalArgumentException("duration must be 1 s or more, was " + duration);
    }
    if (duration.toSeconds() * ratePerSecond > MOST_CALLS) {
      throw new IllegalArgumentException(
          "duration times rate must be 1,000,000 calls at most, was "
              + duration.toSeconds() * ratePerSecond);
    }
  }

  private static void atLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be 1 or more, was " + value);
    }
  }

  /**
   * 100 calls a second for 30 s to 2 instances with 10 connections each; a call may take 10 s. Rest
   * is reached in 16 s, which is what the core's defaults state: a reservation timeout of 10 s, a
   * reconciler period of 5 s, and 1 s.
   */
  public static CampaignSettings defaults() {
    return new CampaignSettings(
        Duration.ofSeconds(30),
        100,
        2,
        10,
        Duration.ofSeconds(10),
        Duration.ofSeconds(16),
        false,
        Duration.ofSeconds(1));
  }

  /** These settings with a load of another length. */
  public CampaignSettings lasting(Duration other) {
    return new CampaignSettings(
        other,
        ratePerSecond,
        instances,
        poolSize,
        callDeadline,
        restWithin,
        ownJvms,
        resumesWithin);
  }

  /** These settings with another load. */
  public CampaignSettings loadedWith(int newRatePerSecond, int newInstances) {
    return new CampaignSettings(
        duration,
        newRatePerSecond,
        newInstances,
        poolSize,
        callDeadline,
        restWithin,
        ownJvms,
        resumesWithin);
  }

  /** These settings with another time in which issuing must resume. */
  public CampaignSettings resumingWithin(Duration other) {
    return new CampaignSettings(
        duration, ratePerSecond, instances, poolSize, callDeadline, restWithin, ownJvms, other);
  }

  /** These settings with each instance in a JVM of its own. */
  public CampaignSettings inOwnJvms() {
    return new CampaignSettings(
        duration,
        ratePerSecond,
        instances,
        poolSize,
        callDeadline,
        restWithin,
        true,
        resumesWithin);
  }
}
