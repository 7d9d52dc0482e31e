package io.stockproof.verification;

/**
 * One call in a {@link Scenario}: to issue, to open the coupon once more, or work that the
 * implementation does beside the requests.
 *
 * @param userId who asks; {@link #OPERATOR}, {@link #RECONCILER} and {@link #REBUILDER} do not ask
 * @param instance index of the instance that is asked, from 0
 */
public record Request(String userId, int instance) {

  /** Who opens the coupon again (R602); no user has this name. */
  public static final String OPERATOR = "operator";

  /** Whose turn it is to reconcile; no user has this name. */
  public static final String RECONCILER = "reconciler";

  /** Who makes the gate anew; no user has this name. */
  public static final String REBUILDER = "rebuild";

  /** What a call does. */
  public enum Deed {
    /** Asks for a unit. */
    ASKS,
    /** {@link Subject.Instance#open}. */
    OPENS_AGAIN,
    /** {@link Subject.Instance#reconcile}. */
    RECONCILES,
    /** {@link Subject.Instance#rebuild}. */
    REBUILDS
  }

  /** Opens the coupon again, with the numbers it has. */
  public static Request openAgain(int instance) {
    return new Request(OPERATOR, instance);
  }

  /** What it does. */
  public Deed deed() {
    return switch (userId) {
      case OPERATOR -> Deed.OPENS_AGAIN;
      case RECONCILER -> Deed.RECONCILES;
      case REBUILDER -> Deed.REBUILDS;
      default -> Deed.ASKS;
    };
  }

  /** Whether it asks for a unit. */
  public boolean asks() {
    return deed() == Deed.ASKS;
  }

  /** Whether it is work of the implementation's own, that makes the stores right again. */
  public boolean recovers() {
    return deed() == Deed.RECONCILES || deed() == Deed.REBUILDS;
  }
}
