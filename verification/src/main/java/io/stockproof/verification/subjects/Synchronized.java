package io.stockproof.verification.subjects;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Subject;
import java.sql.SQLException;

/**
 * Article 004 v2: a facade whose monitor surrounds the transaction of a separate object. One
 * monitor a process: another instance has another.
 */
final class Synchronized implements Subject.Instance {
  private final Object lock = new Object();
  private final NoControl inner;

  Synchronized(Endpoints endpoints) {
    this.inner = new NoControl(endpoints);
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) throws SQLException {
    synchronized (lock) {
      return inner.issue(couponId, userId);
    }
  }
}
