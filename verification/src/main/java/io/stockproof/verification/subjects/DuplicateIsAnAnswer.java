package io.stockproof.verification.subjects;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Subject;
import org.springframework.dao.DuplicateKeyException;

/**
 * What an exception handler of a controller does: a violated UNIQUE, whose transaction is over by
 * then, is told as DUPLICATE.
 */
record DuplicateIsAnAnswer(Subject.Instance inner) implements Subject.Instance {

  @Override
  public IssueOutcome issue(long couponId, String userId) throws Exception {
    try {
      return inner.issue(couponId, userId);
    } catch (DuplicateKeyException alreadyIssued) {
      return IssueOutcome.DUPLICATE;
    }
  }

  @Override
  public void close() throws Exception {
    inner.close();
  }
}
