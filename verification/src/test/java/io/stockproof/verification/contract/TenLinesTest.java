package io.stockproof.verification.contract;

import io.stockproof.verification.IssuanceContract;
import io.stockproof.verification.Subject;

/** An issuer on the default tables is held to every rule by ten lines. */
class TenLinesTest extends IssuanceContract {
  @Override
  protected Subject subject() {
    return Subject.jdbcAndRedis("ten-lines", e -> new AtomicIssuer(e.dataSource())::issue);
  }
}
