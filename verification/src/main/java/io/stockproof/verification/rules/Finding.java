package io.stockproof.verification.rules;

import io.stockproof.verification.Verdict;

/**
 * What one history says about one rule.
 *
 * @param rule the rule
 * @param verdict PASS, VIOLATED or INCONCLUSIVE
 * @param reached false if the premise of the rule never occurred, or if this history cannot show
 *     whether it holds; the verdict is INCONCLUSIVE then
 * @param detail one line: what broke it, what it was judged by, or why it was not reached
 * @param moment position in the run's logical clock at which it broke; {@link #NO_MOMENT} if it did
 *     not, or at rest
 */
public record Finding(Rule rule, Verdict verdict, boolean reached, String detail, long moment) {

  /** Value of {@link #moment} where there is none. */
  public static final long NO_MOMENT = -1;

  /** It was tested and it held. */
  public static Finding pass(Rule rule, String judgedBy) {
    return new Finding(rule, Verdict.PASS, true, judgedBy, NO_MOMENT);
  }

  /** It was broken at a moment of the run. */
  public static Finding violated(Rule rule, String detail, long moment) {
    return new Finding(rule, Verdict.VIOLATED, true, detail, moment);
  }

  /** It was broken, as seen at rest. */
  public static Finding violated(Rule rule, String detail) {
    return violated(rule, detail, NO_MOMENT);
  }

  /** It should have been tested and could not be: weighs more than a pass of another run. */
  public static Finding undecided(Rule rule, String reason) {
    return new Finding(rule, Verdict.INCONCLUSIVE, true, reason, NO_MOMENT);
  }

  /** The premise never occurred, or this history cannot show it: never a pass. */
  public static Finding notReached(Rule rule, String reason) {
    return new Finding(rule, Verdict.INCONCLUSIVE, false, reason, NO_MOMENT);
  }
}
