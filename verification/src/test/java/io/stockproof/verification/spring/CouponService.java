package io.stockproof.verification.spring;

import io.stockproof.IssueOutcome;
import java.util.Objects;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Issues in two ways: by the write itself, or by what Redis said before it. */
class CouponService {
  private final JdbcTemplate jdbc;
  private final StringRedisTemplate redis;
  private final TransactionTemplate transactions;

  CouponService(
      JdbcTemplate jdbc, StringRedisTemplate redis, PlatformTransactionManager transactions) {
    this.jdbc = jdbc;
    this.redis = redis;
    this.transactions = new TransactionTemplate(transactions);
  }

  /** Right. */
  IssueOutcome issue(long couponId, String userId) {
    try {
      return write(
          "UPDATE coupon SET issued = issued + 1 WHERE id = ? AND issued < total",
          couponId,
          userId);
    } catch (DuplicateKeyException holdsOne) {
      return IssueOutcome.DUPLICATE;
    }
  }

  /** Wrong: looks at the stock in Redis, and takes from it in another command. */
  IssueOutcome issueByRedis(long couponId, String userId) {
    String stock = "coupon:" + couponId + ":stock";
    if (Long.parseLong(String.valueOf(redis.opsForValue().get(stock))) <= 0) {
      return IssueOutcome.SOLD_OUT;
    }
    redis.opsForValue().decrement(stock);
    return write("UPDATE coupon SET issued = issued + 1 WHERE id = ?", couponId, userId);
  }

  private IssueOutcome write(String take, long couponId, String userId) {
    return Objects.requireNonNull(
        transactions.execute(
            status -> {
              if (jdbc.update(take, couponId) == 0) {
                return IssueOutcome.SOLD_OUT;
              }
              jdbc.update(
                  "INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)", couponId, userId);
              return IssueOutcome.ISSUED;
            }));
  }
}
