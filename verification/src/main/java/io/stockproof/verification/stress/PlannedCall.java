package io.stockproof.verification.stress;

import io.stockproof.verification.history.Call;
import java.time.Duration;

/**
 * A call that is still to be made.
 *
 * @param phase why it is made
 * @param couponId for what
 * @param userId who asks
 * @param instance index of the instance that is asked
 * @param due when it is to begin, from the beginning of the load; zero is at once
 */
public record PlannedCall(
    Call.Phase phase, long couponId, String userId, int instance, Duration due) {

  /** As soon as a caller is free. */
  public PlannedCall(Call.Phase phase, long couponId, String userId, int instance) {
    this(phase, couponId, userId, instance, Duration.ZERO);
  }
}
