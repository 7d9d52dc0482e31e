package io.stockproof.verification;

/**
 * One call in a {@link Scenario}: to issue, or to open the coupon once more.
 *
 * @param userId who asks; {@link #OPERATOR} does not ask, but opens the coupon again
 * @param instance index of the instance that is asked, from 0
 */
public record Request(String userId, int instance) {

  /** Who opens the coupon again (R602); no user has this name. */
  public static final String OPERATOR = "operator";

  /** Opens the coupon again, with the numbers it has. */
  public static Request openAgain(int instance) {
    return new Request(OPERATOR, instance);
  }

  /** Whether it opens the coupon again instead of asking for it. */
  public boolean opensAgain() {
    return userId.equals(OPERATOR);
  }
}
