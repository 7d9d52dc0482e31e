package io.stockproof.verification.subjects;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Subject;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * Article 000, "after": the coupon is read from the database, the published script decides, and
 * only who it lets through writes. With the holes the article names: a reading of the database for
 * each refusal; a compensation of two calls, inside the transaction, so that a failing COMMIT is
 * not compensated; and a missing stock is "sold out".
 */
final class LuaGate implements Subject.Instance {
  static final String STOCK_KEY = "coupon:%d:stock";
  static final String USERS_KEY = "coupon:%d:users";

  private static final String SCRIPT =
      """
      local stock = tonumber(redis.call('GET', KEYS[1]))

      if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then
          return -1
      end

      if stock == nil or stock <= 0 then
          return -2
      end

      redis.call('DECR', KEYS[1])
      redis.call('SADD', KEYS[2], ARGV[1])

      return 1
      """;

  private static final long SUCCESS = 1;
  private static final long DUPLICATE = -1;

  private final JdbcTemplate jdbc;
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final RedisCommands<String, String> redis;
  private final RedisScript script;
  private final Subject.Instance saving;

  LuaGate(Endpoints endpoints) {
    this.jdbc = new JdbcTemplate(endpoints.dataSource());
    this.client = RedisClient.create(endpoints.redisUri());
    this.connection = client.connect();
    this.redis = connection.sync();
    this.script = new RedisScript(redis, SCRIPT);
    this.saving = Spring.transactional(new Saving(), endpoints.dataSource());
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) throws Exception {
    Coupon coupon = Coupon.find(jdbc, Coupon.BY_ID, couponId);
    if (coupon == null || !coupon.isActive()) {
      return IssueOutcome.NOT_OPEN;
    }
    long result = tryIssue(couponId, userId);
    if (result != SUCCESS) {
      return result == DUPLICATE ? IssueOutcome.DUPLICATE : IssueOutcome.SOLD_OUT;
    }
    return saving.issue(couponId, userId);
  }

  private long tryIssue(long couponId, String userId) {
    String[] keys = {STOCK_KEY.formatted(couponId), USERS_KEY.formatted(couponId)};
    return script.run(keys, userId);
  }

  /** The part of it that is a transaction. */
  private final class Saving implements Subject.Instance {

    @Transactional
    @Override
    public IssueOutcome issue(long couponId, String userId) {
      try {
        int updated = increaseIssuedQuantity(couponId);
        if (updated == 0) {
          rollback(couponId, userId);
          return IssueOutcome.SOLD_OUT;
        }
        jdbc.update(
            "INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)", couponId, userId);
        return IssueOutcome.ISSUED;
      } catch (DataAccessException failedToSave) {
        rollback(couponId, userId);
        throw failedToSave;
      }
    }
  }

  private int increaseIssuedQuantity(long couponId) {
    return jdbc.update(
        """
        UPDATE coupon
           SET issued = issued + 1
         WHERE id = ?
           AND status = 'ACTIVE'
           AND issued < total""",
        couponId);
  }

  private void rollback(long couponId, String userId) {
    Long removed = redis.srem(USERS_KEY.formatted(couponId), userId);
    if (removed != null && removed > 0) {
      redis.incr(STOCK_KEY.formatted(couponId));
    }
  }

  /** {@code stock/init}: sets the stock, whatever was sold. */
  @Override
  public void open(long couponId, long total) {
    redis.set(STOCK_KEY.formatted(couponId), Long.toString(total));
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
