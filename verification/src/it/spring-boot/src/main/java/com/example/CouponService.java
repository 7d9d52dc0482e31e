package com.example;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Two ways to issue: one decides by the write itself, the other by what it has read in Redis. */
@Service
public class CouponService {
  public enum Result {
    YOURS,
    SECOND,
    GONE
  }

  private final JdbcTemplate jdbc;
  private final StringRedisTemplate redis;
  private final TransactionTemplate transactions;

  public CouponService(
      JdbcTemplate jdbc, StringRedisTemplate redis, PlatformTransactionManager manager) {
    this.jdbc = jdbc;
    this.redis = redis;
    this.transactions = new TransactionTemplate(manager);
  }

  public Result issue(long couponId, String userId) {
    try {
      return transactions.execute(
          status -> {
            int taken =
                jdbc.update(
                    "UPDATE coupon SET issued = issued + 1 WHERE id = ? AND issued < total",
                    couponId);
            return taken == 0 ? Result.GONE : give(couponId, userId);
          });
    } catch (DuplicateKeyException holdsOne) {
      return Result.SECOND;
    }
  }

  public Result issueByRedis(long couponId, String userId) {
    String stock = "coupon:" + couponId + ":stock";
    String left = redis.opsForValue().get(stock);
    if (left == null || Long.parseLong(left) <= 0) {
      return Result.GONE;
    }
    redis.opsForValue().decrement(stock);
    redis.opsForSet().add("coupon:" + couponId + ":users", userId);
    try {
      return transactions.execute(
          status -> {
            jdbc.update("UPDATE coupon SET issued = issued + 1 WHERE id = ?", couponId);
            return give(couponId, userId);
          });
    } catch (DuplicateKeyException holdsOne) {
      redis.opsForValue().increment(stock);
      return Result.SECOND;
    }
  }

  private Result give(long couponId, String userId) {
    jdbc.update("INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)", couponId, userId);
    return Result.YOURS;
  }
}
