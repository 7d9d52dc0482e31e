package io.stockproof.verification.subjects;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Subject;

/**
 * Article 004 v2: a facade whose monitor surrounds the transaction of a separate bean, commit
 * included. One monitor a process: another instance has another.
 */
final class Synchronized implements Subject.Instance {
  private final Object lock = new Object();
  private final Subject.Instance inner;

  Synchronized(Endpoints endpoints) {
    this.inner = NoControl.start(endpoints);
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) throws Exception {
    synchronized (lock) {
      return inner.issue(couponId, userId);
    }
  }
}
