package io.stockproof.verification.contract;

import io.stockproof.verification.Capability;
import io.stockproof.verification.IssuanceContract;
import io.stockproof.verification.Subject;

/** An issuer that is right, but claims a gate and has none: the rules of a gate never met one. */
class GatelessContract extends IssuanceContract {
  @Override
  protected Subject subject() {
    return Subject.jdbcAndRedis("gateless", e -> new AtomicIssuer(e.dataSource())::issue)
        .claiming(Capability.MULTI_INSTANCE, Capability.GATE);
  }
}
