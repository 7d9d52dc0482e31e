package io.stockproof.verification.contract;

import io.stockproof.verification.IssuanceContract;
import io.stockproof.verification.Subject;

/** The same ten lines for an issuer that is wrong: {@link IssuanceContractTest} looks at how. */
class NaiveContract extends IssuanceContract {
  @Override
  protected Subject subject() {
    return Subject.jdbcAndRedis("naive", e -> new NaiveIssuer(e.dataSource())::issue);
  }
}
