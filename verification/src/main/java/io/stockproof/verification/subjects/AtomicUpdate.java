package io.stockproof.verification.subjects;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Subject;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Article 001 §4: check and increment in one statement, then the row in another. Each commits by
 * itself, as published: "if the process dies in between, the counter has gone up and there is no
 * row".
 */
final class AtomicUpdate implements Subject.Instance {
  private final JdbcTemplate jdbc;

  AtomicUpdate(Endpoints endpoints) {
    this.jdbc = new JdbcTemplate(endpoints.dataSource());
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) {
    int affectedRows =
        jdbc.update(
            """
            UPDATE coupon
               SET issued = issued + 1
             WHERE id = ? AND issued < total""",
            couponId);
    if (affectedRows != 1) {
      return IssueOutcome.SOLD_OUT;
    }
    jdbc.update("INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)", couponId, userId);
    return IssueOutcome.ISSUED;
  }
}
