package com.example;

import io.stockproof.verification.IssuanceContract;
import io.stockproof.verification.Subject;

class GoodIssuerTest extends IssuanceContract {
  @Override
  protected Subject subject() {
    return Subject.jdbcAndRedis("good", endpoints -> new GoodIssuer(endpoints.dataSource())::issue);
  }
}
