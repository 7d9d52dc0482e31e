package io.stockproof.verification.subjects;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Subject;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * Articles 000, 001 §2 and 004 v3: {@code SELECT … FOR UPDATE} of the coupon's row, check, insert,
 * update, in one transaction. Whoever comes next waits in the database, and holds a connection
 * while it does.
 */
final class Pessimistic implements Subject.Instance {
  private final JdbcTemplate jdbc;

  private Pessimistic(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  static Subject.Instance start(Endpoints endpoints) {
    return Spring.transactional(
        new Pessimistic(new JdbcTemplate(endpoints.dataSource())), endpoints.dataSource());
  }

  @Transactional
  @Override
  public IssueOutcome issue(long couponId, String userId) {
    Coupon coupon = Coupon.find(jdbc, Coupon.BY_ID + " FOR UPDATE", couponId);
    if (coupon == null || !coupon.isActive()) {
      return IssueOutcome.NOT_OPEN;
    }
    if (coupon.isSoldOut()) {
      return IssueOutcome.SOLD_OUT;
    }
    jdbc.update("INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)", couponId, userId);
    jdbc.update("UPDATE coupon SET issued = issued + 1 WHERE id = ?", couponId);
    return IssueOutcome.ISSUED;
  }
}
