package io.stockproof.verification.contract;

import io.stockproof.verification.IssuanceContract;
import io.stockproof.verification.Subject;
import io.stockproof.verification.subjects.Subjects;

/** The core of this project keeps its own contract, with all it claims. */
class CoreTest extends IssuanceContract {
  @Override
  protected Subject subject() {
    return Subjects.named("stockproof").orElseThrow().make().get();
  }
}
