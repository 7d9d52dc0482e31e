package io.stockproof.verification.stress;

import io.stockproof.verification.history.Call;

/** A call that is still to be made. */
record PlannedCall(Call.Phase phase, long couponId, String userId, int instance) {}
