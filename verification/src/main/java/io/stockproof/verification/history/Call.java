package io.stockproof.verification.history;

import io.stockproof.IssueOutcome;
import org.jspecify.annotations.Nullable;

/**
 * One call to issue as its caller saw it.
 *
 * @param id position in the run, from 0
 * @param phase why it was made
 * @param userId who asked
 * @param couponId for what
 * @param instance index of the instance that was asked
 * @param start moment in the run's logical clock before which nothing of the call had happened
 * @param end moment after which nothing of the call is seen by its caller, or {@link #NEVER}
 * @param outcome what the caller was told; null if the call threw, was cut off or never ended
 * @param error what escaped, as {@code Type: message}; null if nothing did
 * @param cutOff whether the instance died under it
 * @param rowAtEnd whether the user held a row when the caller was told, read directly from the
 *     ledger; null if nobody looked
 * @param wroteRow whether a command of this very call made a row of its user visible; null if that
 *     is not known
 */
public record Call(
    int id,
    Phase phase,
    String userId,
    long couponId,
    int instance,
    long start,
    long end,
    @Nullable IssueOutcome outcome,
    @Nullable String error,
    boolean cutOff,
    @Nullable Boolean rowAtEnd,
    @Nullable Boolean wroteRow) {

  /** Value of {@link #end} of a call that did not end within its deadline. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Why a call was made. */
  public enum Phase {
    /** Part of the scenario. */
    SALE,
    /**
     * Part of the scenario: opens the coupon once more (R602). Asks for nothing, is told nothing.
     */
    OPENS_AGAIN,
    /**
     * Beside the scenario: the implementation makes its stores right again. Asks for nothing, is
     * told nothing.
     */
    RECOVERS,
    /** At rest, a user of the scenario asks again (R307, R305). */
    ASKS_AGAIN,
    /** At rest, a user who never asked before asks for what is left (R202). */
    FRESH;

    /** Whether it asks for a unit. */
    public boolean asks() {
      return this != OPENS_AGAIN && this != RECOVERS;
    }
  }
}
