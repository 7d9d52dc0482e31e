package io.stockproof.verification.subjects;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Subject;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * Articles 001 §1 and 004 v1: in a transaction, read, check, insert, write back the count. "There
 * was a transaction": what is missing is control. It is also the separate bean around which 004
 * puts a monitor (v2) and locks in Redis (v4, v5).
 */
final class NoControl implements Subject.Instance {
  private final JdbcTemplate jdbc;

  NoControl(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  static Subject.Instance start(Endpoints endpoints) {
    return Spring.transactional(
        new NoControl(new JdbcTemplate(endpoints.dataSource())), endpoints.dataSource());
  }

  @Transactional
  @Override
  public IssueOutcome issue(long couponId, String userId) {
    Coupon coupon = Coupon.find(jdbc, Coupon.BY_ID, couponId);
    if (coupon == null || !coupon.isActive()) {
      return IssueOutcome.NOT_OPEN;
    }
    if (coupon.isSoldOut()) {
      return IssueOutcome.SOLD_OUT;
    }
    jdbc.update("INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)", couponId, userId);
    jdbc.update("UPDATE coupon SET issued = ? WHERE id = ?", coupon.issued() + 1, couponId);
    return IssueOutcome.ISSUED;
  }
}
