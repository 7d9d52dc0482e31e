package io.stockproof.verification.contract;

import io.stockproof.verification.IssuanceContract;
import io.stockproof.verification.Subject;

/** The naive issuer on tables of another kind: nothing keeps a user from getting two. */
class OversellingContract extends IssuanceContract {
  @Override
  protected Subject subject() {
    return Subject.jdbcAndRedis("no-key", e -> new NaiveIssuer(e.dataSource())::issue)
        .withoutUniqueKey();
  }
}
