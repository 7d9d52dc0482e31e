package io.stockproof.verification;

/**
 * Of a rule: PASS, VIOLATED or INCONCLUSIVE. Of a subject: also AS_EXPECTED. Ordered from good to
 * bad.
 */
public enum Verdict {
  /** Held wherever it was tested, and it was tested. */
  PASS,
  /** A baseline breaks exactly the rules it is known to break. */
  AS_EXPECTED,
  /** A time-out, a crash of the checker, or a premise that never occurred: never a pass. */
  INCONCLUSIVE,
  /** Broken, with a witness. */
  VIOLATED;

  /** The worse of the two: the worst verdict wins. */
  public Verdict and(Verdict other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
