package io.stockproof.verification.subjects;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Subject;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * Article 000, "before": the conditional UPDATE and the row, which is unique, in one transaction.
 * Nothing is issued wrongly; but each refusal is a transaction with an UPDATE of no row.
 */
final class AtomicUpdateTx implements Subject.Instance {
  private final JdbcTemplate jdbc;

  private AtomicUpdateTx(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  /** A violated UNIQUE rolls the transaction back, and is told to the caller outside of it. */
  static Subject.Instance start(Endpoints endpoints) {
    return new DuplicateIsAnAnswer(
        Spring.transactional(
            new AtomicUpdateTx(new JdbcTemplate(endpoints.dataSource())), endpoints.dataSource()));
  }

  @Transactional
  @Override
  public IssueOutcome issue(long couponId, String userId) {
    int updated =
        jdbc.update(
            """
            UPDATE coupon
               SET issued = issued + 1
             WHERE id = ?
               AND status = 'ACTIVE'
               AND issued < total""",
            couponId);
    if (updated == 0) {
      return IssueOutcome.SOLD_OUT;
    }
    jdbc.update("INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)", couponId, userId);
    return IssueOutcome.ISSUED;
  }
}
