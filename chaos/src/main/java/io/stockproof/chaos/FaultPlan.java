package io.stockproof.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Which faults, when and how long: one after the other. Immutable; the same seed gives the same
 * plan.
 *
 * @param seed of the plan, and of what faults choose at random
 * @param strikes in order of time, none beside another
 */
public record FaultPlan(long seed, List<Strike> strikes) {

  /** Time that each fault needs: before, within and after its window. */
  private static final Duration LEAST_EACH = Duration.ofSeconds(4);

  private static final long LEAST_GAP_MILLIS = 1_500;
  private static final long MOST_GAP_MILLIS = 4_000;
  private static final long LEAST_WINDOW_MILLIS = 300;

  /**
   * One fault.
   *
   * @param fault what breaks
   * @param at when, from the beginning of the load
   * @param lasts how long
   */
  public record Strike(Fault fault, Duration at, Duration lasts) {
    /** When it ends, if ending it takes no time. */
    public Duration until() {
      return at.plus(lasts);
    }
  }

  /** Copies and orders the list. */
  public FaultPlan {
    strikes = strikes.stream().sorted(Comparator.comparing(Strike::at)).toList();
  }

  /**
   * Each fault once, in this order: a calm time, its window, and a longer calm time.
   *
   * @param duration of the load
   * @throws IllegalArgumentException if it is too short for so many faults
   */
  public static FaultPlan inTurn(List<Fault> faults, Duration duration, long seed) {
    Duration least = LEAST_EACH.multipliedBy(faults.size());
    if (faults.isEmpty() || duration.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          "duration must be %d s or more for %d faults, was %d s"
              .formatted(least.toSeconds(), faults.size(), duration.toSeconds()));
    }
    Duration slot = duration.dividedBy(faults.size());
    List<Strike> strikes = new ArrayList<>();
    for (int i = 0; i < faults.size(); i++) {
      Duration usual = faults.get(i).usualWindow();
      Duration most = slot.dividedBy(3);
      strikes.add(
          new Strike(
              faults.get(i),
              slot.multipliedBy(i).plus(slot.dividedBy(5)),
              usual.compareTo(most) < 0 ? usual : most));
    }
    return new FaultPlan(seed, strikes);
  }

  /**
   * Any of these faults at any time, as long as the last one leaves time to recover.
   *
   * @param from what to choose from, not empty
   * @param duration of the load
   * @throws IllegalArgumentException if there is no time for any fault
   */
  public static FaultPlan random(List<Fault> from, Duration duration, long seed) {
    Random random = new Random(seed);
    long end = duration.minus(LEAST_EACH).toMillis();
    List<Strike> strikes = new ArrayList<>();
    long at = random.nextLong(LEAST_WINDOW_MILLIS, MOST_GAP_MILLIS);
    while (at < end) {
      Fault fault = from.get(random.nextInt(from.size()));
      long usual = fault.usualWindow().toMillis();
      long lasts = random.nextLong(LEAST_WINDOW_MILLIS, usual + 1);
      if (at + lasts > end) {
        break;
      }
      strikes.add(new Strike(fault, Duration.ofMillis(at), Duration.ofMillis(lasts)));
      at += lasts + random.nextLong(LEAST_GAP_MILLIS, MOST_GAP_MILLIS);
    }
    if (strikes.isEmpty()) {
      throw new IllegalArgumentException(
          "duration must be 12 s or more for faults at random, was " + duration.toSeconds() + " s");
    }
    return new FaultPlan(seed, strikes);
  }

  /** When the last fault ends, if ending it takes no time. */
  public Duration lastEnd() {
    return strikes.stream().map(Strike::until).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
  }
}
