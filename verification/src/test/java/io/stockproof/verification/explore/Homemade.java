package io.stockproof.verification.explore;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.stockproof.IssueOutcome;
import io.stockproof.verification.Capability;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.GateKeys;
import io.stockproof.verification.LedgerQueries;
import io.stockproof.verification.Subject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Small subjects, each with one thing that a search has to see. */
final class Homemade {

  static final String TAKE_COUPON =
      "UPDATE coupon SET issued = issued + 1 WHERE id = ? AND issued < total";
  static final String ADD_ROW = "INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)";

  private static final int DEADLOCK = 1213;

  private Homemade() {}

  /**
   * The flow whose orders can be counted by hand: EVALSHA, UPDATE, INSERT, COMMIT. One key, so that
   * two users meet at the gate; there is stock for everyone.
   */
  static Subject plainGateFlow() {
    return Subject.jdbcAndRedis("plain-gate", PlainGate::new)
        .claiming(Capability.MULTI_INSTANCE, Capability.GATE)
        .withGate(GateKeys.of("coupon:%d:stock", "coupon:%d:users"));
  }

  /** Two rows, taken in an order that depends on the user: even users and odd ones deadlock. */
  static Subject crossedLocks() {
    LedgerQueries tables = LedgerQueries.defaults();
    List<String> create = new ArrayList<>(tables.create());
    create.add("CREATE TABLE IF NOT EXISTS totals (id BIGINT NOT NULL PRIMARY KEY, n BIGINT)");
    create.add("INSERT IGNORE INTO totals (id, n) VALUES (1, 0)");
    List<String> drop = new ArrayList<>(tables.drop());
    drop.add("DROP TABLE IF EXISTS totals");
    return Subject.jdbcAndRedis("crossed-locks", CrossedLocks::new)
        .withLedger(tables.withCreate(create).withDrop(drop));
  }

  /** Issues by a single transaction in front of which something may happen in the JVM. */
  static Subject afterThinking(String name, Thought thought) {
    return Subject.jdbcAndRedis(
        name,
        endpoints -> {
          DataSource dataSource = endpoints.dataSource();
          return (couponId, userId) -> {
            thought.think(userId);
            return issue(dataSource, couponId, userId);
          };
        });
  }

  /** What an instance does before it issues. */
  interface Thought {
    void think(String userId) throws Exception;
  }

  /** A conditional UPDATE and an INSERT in one transaction. */
  static IssueOutcome issue(DataSource dataSource, long couponId, String userId)
      throws SQLException {
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      try {
        if (update(tx, TAKE_COUPON, couponId) == 0) {
          tx.rollback();
          return IssueOutcome.SOLD_OUT;
        }
        update(tx, ADD_ROW, couponId, userId);
      } catch (SQLException failed) {
        tx.rollback();
        throw failed;
      }
      tx.commit();
      return IssueOutcome.ISSUED;
    }
  }

  static int update(Connection tx, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = tx.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      return statement.executeUpdate();
    }
  }

  private static final class PlainGate implements Subject.Instance {
    private static final String SCRIPT =
        """
        if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then
            return -1
        end
        if tonumber(redis.call('GET', KEYS[1])) <= 0 then
            return -2
        end
        redis.call('SADD', KEYS[2], ARGV[1])
        redis.call('DECR', KEYS[1])
        return 1""";

    private final DataSource dataSource;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> redis;
    private final String digest;

    PlainGate(Endpoints endpoints) {
      dataSource = endpoints.dataSource();
      client = RedisClient.create(endpoints.redisUri());
      redis = client.connect();
      digest = redis.sync().scriptLoad(SCRIPT);
    }

    @Override
    public IssueOutcome issue(long couponId, String userId) throws SQLException {
      String[] keys = {"coupon:" + couponId + ":stock", "coupon:" + couponId + ":users"};
      Long told = redis.sync().evalsha(digest, ScriptOutputType.INTEGER, keys, userId);
      if (told == 1) {
        return Homemade.issue(dataSource, couponId, userId);
      }
      return told == -1 ? IssueOutcome.DUPLICATE : IssueOutcome.SOLD_OUT;
    }

    @Override
    public void close() {
      redis.close();
      client.shutdown();
    }
  }

  private static final class CrossedLocks implements Subject.Instance {
    private final DataSource dataSource;

    CrossedLocks(Endpoints endpoints) {
      dataSource = endpoints.dataSource();
    }

    @Override
    public IssueOutcome issue(long couponId, String userId) throws SQLException {
      boolean even = Integer.parseInt(userId) % 2 == 0;
      try (Connection tx = dataSource.getConnection()) {
        tx.setAutoCommit(false);
        try {
          for (boolean coupon : new boolean[] {even, !even}) {
            if (coupon) {
              update(tx, TAKE_COUPON, couponId);
            } else {
              update(tx, "UPDATE totals SET n = n + 1 WHERE id = 1");
            }
          }
          update(tx, ADD_ROW, couponId, userId);
          tx.commit();
          return IssueOutcome.ISSUED;
        } catch (SQLException failed) {
          tx.rollback();
          if (failed.getErrorCode() == DEADLOCK) {
            return IssueOutcome.UNAVAILABLE;
          }
          throw failed;
        }
      }
    }
  }
}
