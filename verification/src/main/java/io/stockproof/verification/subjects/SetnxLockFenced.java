package io.stockproof.verification.subjects;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Subject;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What article 004 §4 says is missing from v5: "a device that checks a number on the side of the
 * resource". The lock hands out a number that grows with every holder. A holder first claims its
 * number in the coupon's row, in a transaction of its own, and later writes only if the number
 * there is still its own. Comparing only at the write would not do: both could still pass.
 */
final class SetnxLockFenced implements Subject.Instance {
  static final String FENCE_COLUMN = "fence BIGINT NOT NULL DEFAULT 0";

  /** 0 if the lock is taken, else the number of the new holder. */
  private static final String ACQUIRE =
      """
      if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])
        then return redis.call('incr', KEYS[2]) else return 0 end""";

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final RedisScript acquire;
  private final RedisScript release;
  private final JdbcTemplate jdbc;
  private final TransactionTemplate transaction;
  private final LockSettings settings;

  SetnxLockFenced(Endpoints endpoints, LockSettings settings) {
    this.settings = settings;
    this.client = RedisClient.create(endpoints.redisUri());
    this.connection = client.connect();
    this.acquire = new RedisScript(connection.sync(), ACQUIRE);
    this.release = new RedisScript(connection.sync(), SetnxLock.COMPARE_DELETE);
    this.jdbc = new JdbcTemplate(endpoints.dataSource());
    this.transaction = new TransactionTemplate(new JdbcTransactionManager(endpoints.dataSource()));
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) throws Exception {
    String key = Subjects.LOCK_KEY.formatted(couponId);
    String token = UUID.randomUUID().toString();
    long[] fence = {0};
    if (!new Patience(settings).until(() -> (fence[0] = acquire(couponId, key, token)) > 0)) {
      return IssueOutcome.UNAVAILABLE;
    }
    try {
      return claim(couponId, fence[0])
          ? transaction.execute(tx -> issue(tx, couponId, userId, fence[0]))
          : IssueOutcome.UNAVAILABLE;
    } finally {
      release.run(new String[] {key}, token);
    }
  }

  private long acquire(long couponId, String key, String token) {
    String[] keys = {key, "fence:coupon:" + couponId};
    return acquire.run(keys, token, Long.toString(settings.lease().toMillis()));
  }

  private boolean claim(long couponId, long fence) {
    return jdbc.update(
            "UPDATE coupon SET fence = ? WHERE id = ? AND fence < ?", fence, couponId, fence)
        == 1;
  }

  private IssueOutcome issue(TransactionStatus tx, long couponId, String userId, long fence) {
    Coupon coupon = Coupon.find(jdbc, Coupon.BY_ID, couponId);
    if (coupon == null || !coupon.isActive()) {
      return IssueOutcome.NOT_OPEN;
    }
    if (coupon.isSoldOut()) {
      return IssueOutcome.SOLD_OUT;
    }
    jdbc.update("INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)", couponId, userId);
    int updated =
        jdbc.update(
            "UPDATE coupon SET issued = ? WHERE id = ? AND fence = ?",
            coupon.issued() + 1,
            couponId,
            fence);
    if (updated == 0) {
      tx.setRollbackOnly();
      return IssueOutcome.UNAVAILABLE;
    }
    return IssueOutcome.ISSUED;
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
