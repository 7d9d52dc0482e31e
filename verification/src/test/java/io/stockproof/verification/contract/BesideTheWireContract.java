package io.stockproof.verification.contract;

import io.stockproof.verification.IssuanceContract;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environments;

/** An issuer that is right, but connects past its endpoints: nothing of it was steered. */
class BesideTheWireContract extends IssuanceContract {
  @Override
  protected Subject subject() {
    return Subject.jdbcAndRedis(
        "beside", e -> new AtomicIssuer(Environments.shared().admin())::issue);
  }
}
