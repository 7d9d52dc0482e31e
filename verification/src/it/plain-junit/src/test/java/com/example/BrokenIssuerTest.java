package com.example;

import io.stockproof.verification.IssuanceContract;
import io.stockproof.verification.Subject;

class BrokenIssuerTest extends IssuanceContract {
  @Override
  protected Subject subject() {
    return Subject.jdbcAndRedis("broken", endpoints -> new BrokenIssuer(endpoints.dataSource())::issue);
  }
}
