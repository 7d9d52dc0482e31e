package io.stockproof.verification.rules;

/** Counting in sorted moments, of which several can be equal. */
final class Ascending {
  private Ascending() {}

  /** How many are smaller than the bound. */
  static int countBelow(long[] ascending, long bound) {
    int from = 0;
    int to = ascending.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (ascending[middle] < bound) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** How many are not greater than the bound. */
  static int countUpTo(long[] ascending, long bound) {
    return bound == Long.MAX_VALUE ? ascending.length : countBelow(ascending, bound + 1);
  }
}
