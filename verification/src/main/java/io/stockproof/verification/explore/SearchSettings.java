package io.stockproof.verification.explore;

import java.time.Duration;
import java.util.Set;

/**
 * How to search.
 *
 * @param mode which orders are tried
 * @param choices what else than the order is a choice of the search
 * @param maxFaults most of those in one run, 0 to 2
 * @param budget time after which no further run begins
 * @param seed of the random modes
 * @param reduced whether equivalent orders are tried once; false only to check that
 */
public record SearchSettings(
    Mode mode, Choices choices, int maxFaults, Duration budget, long seed, boolean reduced) {

  /** Which orders are tried. */
  public enum Mode {
    /** Every order up to equivalence, and then every plan of faults. */
    EXHAUSTIVE,
    /** Orders and faults by chance, until the budget is used up. */
    RANDOM,
    /** Probabilistic concurrency testing with growing depth, until the budget is used up. */
    PCT
  }

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public SearchSettings {
    if (maxFaults < 0 || maxFaults > 2) {
      throw new IllegalArgumentException("max-faults must be 0, 1 or 2, was " + maxFaults);
    }
    if (budget.isNegative() || budget.isZero()) {
      throw new IllegalArgumentException("budget must be more than nothing, was " + budget);
    }
  }

  /** Faults alone beside the order. */
  public SearchSettings(
      Mode mode,
      Set<CommandFault> faults,
      int maxFaults,
      Duration budget,
      long seed,
      boolean reduced) {
    this(mode, Choices.of(faults), maxFaults, budget, seed, reduced);
  }

  /** Every order, no fault, within a budget. */
  public static SearchSettings calm(Duration budget) {
    return new SearchSettings(Mode.EXHAUSTIVE, Choices.NONE, 0, budget, 1, true);
  }

  /** The same search with these faults. */
  public SearchSettings withFaults(Set<CommandFault> others, int most) {
    return with(Choices.of(others), most);
  }

  /** The same search with these choices. */
  public SearchSettings with(Choices others, int most) {
    return new SearchSettings(mode, others, others.isEmpty() ? 0 : most, budget, seed, reduced);
  }

  /** The same search with another time. */
  public SearchSettings within(Duration other) {
    return new SearchSettings(mode, choices, maxFaults, other, seed, reduced);
  }
}
