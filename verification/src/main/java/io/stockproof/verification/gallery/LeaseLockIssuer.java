package io.stockproof.verification.gallery;

import io.lettuce.core.RedisException;
import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A right issuer with a lock in Redis that has a lease, and therefore with a fence: every holder
 * gets a higher number and writes it into the coupon's row <em>before</em> it reads; whoever finds
 * a higher one there has been overtaken. Whoever does not get the lock is told to ask again.
 */
class LeaseLockIssuer extends LedgerIssuer {
  static final String LEASE_MILLIS = "30000";

  /** ARGV: token, lease. The number of the new holder, or 0. */
  static final String LOCK =
      """
      if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return '0' end
      return tostring(redis.call('INCR', KEYS[2]))
      """;

  /** ARGV: token. Only the holder's own lock. */
  static final String UNLOCK =
      """
      if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
      return 'OK'
      """;

  /** ARGV: highest number in the ledger. What happens when a lease has run out, or Redis forgot. */
  static final String EXPIRE =
      """
      redis.call('DEL', KEYS[1])
      if tonumber(redis.call('GET', KEYS[2]) or 0) < tonumber(ARGV[1]) then
        redis.call('SET', KEYS[2], ARGV[1])
      end
      return 'OK'
      """;

  final RedisConnection redis;

  LeaseLockIssuer(Endpoints endpoints) {
    super(endpoints);
    this.redis = new RedisConnection(endpoints.redisUri());
  }

  static String[] keys(long couponId) {
    return new String[] {"coupon:{" + couponId + "}:lock", "coupon:{" + couponId + "}:fence"};
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) throws Exception {
    Ask ask = Ask.of(couponId, userId);
    long number;
    try {
      number = lock(ask);
    } catch (RedisException noAnswer) {
      return IssueOutcome.UNAVAILABLE;
    }
    if (number == 0) {
      return notLocked(ask);
    }
    try {
      return record(ask.fencedBy(number));
    } finally {
      unlock(ask);
    }
  }

  long lock(Ask ask) {
    return Long.parseLong(redis.run(LOCK, keys(ask.couponId()), ask.token(), LEASE_MILLIS));
  }

  IssueOutcome notLocked(Ask ask) {
    return IssueOutcome.UNAVAILABLE;
  }

  void unlock(Ask ask) {
    try {
      redis.run(UNLOCK, keys(ask.couponId()), ask.token());
    } catch (RedisException leftToTheLease) {
      return;
    }
  }

  @Override
  IssueOutcome record(Ask ask) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      if (!claim(connection, ask)) {
        return IssueOutcome.UNAVAILABLE;
      }
      return transaction(connection, ask);
    }
  }

  /** Waits for an earlier holder who is about to commit, and keeps out the others. */
  boolean claim(Connection connection, Ask ask) {
    try {
      connection.setAutoCommit(true);
      return Sql.update(
              connection,
              "UPDATE coupon SET epoch = ? WHERE id = ? AND epoch < ?",
              ask.fence(),
              ask.couponId(),
              ask.fence())
          == 1;
    } catch (SQLException notClaimed) {
      return false;
    }
  }

  @Override
  IssueOutcome write(Connection tx, Ask ask) throws SQLException {
    long[] coupon = Sql.numbers(tx, 2, READ_COUPON, ask.couponId());
    if (coupon[0] >= coupon[1]) {
      return refuse(tx, ask);
    }
    if (writeBack(tx, ask, coupon[0] + 1) == 0) {
      return IssueOutcome.UNAVAILABLE;
    }
    insert(tx, ask);
    return IssueOutcome.ISSUED;
  }

  int writeBack(Connection tx, Ask ask, long issued) throws SQLException {
    return Sql.update(tx, SET_ISSUED + " AND epoch = ?", issued, ask.couponId(), ask.fence());
  }

  /** The lease of a holder who is gone runs out; at rest there is no other. */
  @Override
  public void reconcile(long couponId) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      long highest = Sql.number(connection, "SELECT epoch FROM coupon WHERE id = ?", couponId);
      redis.run(EXPIRE, keys(couponId), Long.toString(highest));
    }
  }

  @Override
  public void close() {
    redis.close();
  }
}
