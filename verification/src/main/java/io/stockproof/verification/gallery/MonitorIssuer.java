package io.stockproof.verification.gallery;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A right issuer for a single instance, and claimed for no more: a lock of this process around the
 * whole transaction, which reads, checks and writes.
 */
class MonitorIssuer extends LedgerIssuer {
  final ReentrantLock lock = new ReentrantLock();

  MonitorIssuer(Endpoints endpoints) {
    super(endpoints);
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) throws Exception {
    lock.lock();
    try {
      return super.issue(couponId, userId);
    } finally {
      lock.unlock();
    }
  }

  @Override
  IssueOutcome write(Connection tx, Ask ask) throws SQLException {
    return writeWhatWasRead(tx, ask);
  }
}
