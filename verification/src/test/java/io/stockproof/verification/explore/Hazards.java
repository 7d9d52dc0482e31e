package io.stockproof.verification.explore;

import io.lettuce.core.RedisClient;
import io.lettuce.core.TransactionResult;
import io.lettuce.core.api.StatefulRedisConnection;
import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.LedgerQueries;
import io.stockproof.verification.Subject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * Subjects in which the order of two commands matters although their texts do not show it. Nobody
 * is issued anything: what a request is told says in which order things happened.
 */
final class Hazards {

  private static final int DEADLOCK = 1213;
  private static final int NO_PARENT = 1452;
  private static final int HAS_CHILDREN = 1451;

  private Hazards() {}

  /** Everybody inserts the same key and takes it back: of three, two may end in a deadlock. */
  static Subject insertsOfOneKey() {
    return steps(
        "inserts-of-one-key",
        List.of(),
        List.of(),
        (dataSource, couponId, userId) -> {
          try (Connection tx = begin(dataSource)) {
            try {
              Homemade.update(tx, Homemade.ADD_ROW, couponId, userId);
              tx.rollback();
              return IssueOutcome.SOLD_OUT;
            } catch (SQLException failed) {
              tx.rollback();
              return told(failed, DEADLOCK);
            }
          }
        });
  }

  /**
   * Two lock two rows crosswise; whose transaction is given up says so in a third row, which the
   * third request reads.
   */
  static Subject deadlockThatIsTold() {
    return steps(
        "deadlock-that-is-told",
        List.of(
            "CREATE TABLE IF NOT EXISTS cells (id BIGINT NOT NULL PRIMARY KEY, n BIGINT)",
            "INSERT IGNORE INTO cells (id, n) VALUES (1, 0), (2, 0), (3, 0)"),
        List.of("DROP TABLE IF EXISTS cells"),
        (dataSource, couponId, userId) -> {
          if (userId.equals("102")) {
            return read(dataSource, "SELECT n FROM cells WHERE id = 3") == couponId
                ? IssueOutcome.DUPLICATE
                : IssueOutcome.NOT_OPEN;
          }
          int first = userId.equals("100") ? 1 : 2;
          try (Connection tx = begin(dataSource)) {
            Homemade.update(tx, "UPDATE cells SET n = n + 1 WHERE id = ?", first);
            Homemade.update(tx, "UPDATE cells SET n = n + 1 WHERE id = ?", 3 - first);
            tx.rollback();
            return IssueOutcome.SOLD_OUT;
          } catch (SQLException failed) {
            autocommit(dataSource, "UPDATE cells SET n = ? WHERE id = 3", couponId);
            return told(failed, DEADLOCK);
          }
        });
  }

  /** One locks a row that is not there, and with it the gap into which the other inserts. */
  static Subject gapOfAnAbsentRow() {
    return steps(
        "gap-of-an-absent-row",
        List.of(
            "CREATE TABLE IF NOT EXISTS cells (id BIGINT NOT NULL PRIMARY KEY, n BIGINT)",
            "CREATE TABLE IF NOT EXISTS slots (id BIGINT NOT NULL PRIMARY KEY)",
            "INSERT IGNORE INTO cells (id, n) VALUES (1, 0)"),
        List.of("DROP TABLE IF EXISTS cells", "DROP TABLE IF EXISTS slots"),
        (dataSource, couponId, userId) -> {
          try (Connection tx = begin(dataSource)) {
            try {
              if (userId.equals("100")) {
                read(tx, "SELECT id FROM slots WHERE id = " + couponId + "5 FOR UPDATE");
                Homemade.update(tx, "UPDATE cells SET n = n + 1 WHERE id = 1");
              } else {
                Homemade.update(tx, "UPDATE cells SET n = n + 1 WHERE id = 1");
                Homemade.update(tx, "INSERT INTO slots (id) VALUES (?)", couponId * 10 + 7);
              }
              tx.commit();
              return IssueOutcome.SOLD_OUT;
            } catch (SQLException failed) {
              tx.rollback();
              return told(failed, DEADLOCK);
            }
          }
        });
  }

  /** One inserts and deletes a row, the other inserts one that refers to it. */
  static Subject foreignKey() {
    return steps(
        "foreign-key",
        List.of(
            "CREATE TABLE IF NOT EXISTS parents (id BIGINT NOT NULL PRIMARY KEY)",
            """
            CREATE TABLE IF NOT EXISTS children (
              id BIGINT NOT NULL PRIMARY KEY,
              parent BIGINT NOT NULL,
              FOREIGN KEY (parent) REFERENCES parents (id))"""),
        List.of("DROP TABLE IF EXISTS children", "DROP TABLE IF EXISTS parents"),
        (dataSource, couponId, userId) -> {
          try {
            if (userId.equals("100")) {
              autocommit(dataSource, "INSERT INTO parents (id) VALUES (?)", couponId);
              autocommit(dataSource, "DELETE FROM parents WHERE id = ?", couponId);
            } else {
              autocommit(
                  dataSource,
                  "INSERT INTO children (id, parent) VALUES (?, ?)",
                  couponId,
                  couponId);
            }
            return IssueOutcome.SOLD_OUT;
          } catch (SQLException failed) {
            return told(failed, userId.equals("100") ? HAS_CHILDREN : NO_PARENT);
          }
        });
  }

  /** One watches a key and writes another, the other writes what is watched. */
  static Subject watchedKey() {
    return Subject.jdbcAndRedis("watched-key", WatchedKey::new);
  }

  /** An instance that remembers that somebody was answered. */
  static Subject rememberingInstance() {
    return Subject.jdbcAndRedis(
        "remembering-instance",
        endpoints -> {
          DataSource dataSource = endpoints.dataSource();
          AtomicBoolean answered = new AtomicBoolean();
          return (couponId, userId) -> {
            if (userId.startsWith("9") || answered.get()) {
              // Whoever asks at rest begins anew.
              answered.set(false);
              return IssueOutcome.NOT_OPEN;
            }
            autocommit(dataSource, "UPDATE coupon SET issued = issued WHERE id = ?", couponId);
            answered.set(true);
            return IssueOutcome.SOLD_OUT;
          };
        });
  }

  private interface Body {
    IssueOutcome issue(DataSource dataSource, long couponId, String userId) throws SQLException;
  }

  private static Subject steps(
      String name, List<String> moreTables, List<String> moreDrops, Body body) {
    LedgerQueries tables = LedgerQueries.defaults();
    List<String> create = new ArrayList<>(tables.create());
    create.addAll(moreTables);
    List<String> drop = new ArrayList<>(moreDrops);
    drop.addAll(tables.drop());
    return Subject.jdbcAndRedis(
            name,
            endpoints -> {
              DataSource dataSource = endpoints.dataSource();
              return (couponId, userId) -> body.issue(dataSource, couponId, userId);
            })
        .withLedger(tables.withCreate(create).withDrop(drop));
  }

  private static Connection begin(DataSource dataSource) throws SQLException {
    Connection tx = dataSource.getConnection();
    tx.setAutoCommit(false);
    return tx;
  }

  private static void autocommit(DataSource dataSource, String sql, Object... parameters)
      throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      Homemade.update(connection, sql, parameters);
    }
  }

  private static long read(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return read(connection, sql);
    }
  }

  private static long read(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? row.getLong(1) : -1;
    }
  }

  private static IssueOutcome told(SQLException failed, int expected) throws SQLException {
    if (failed.getErrorCode() == expected) {
      return IssueOutcome.UNAVAILABLE;
    }
    throw failed;
  }

  private static final class WatchedKey implements Subject.Instance {
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> redis;

    WatchedKey(Endpoints endpoints) {
      client = RedisClient.create(endpoints.redisUri());
      redis = client.connect();
    }

    @Override
    public IssueOutcome issue(long couponId, String userId) {
      String watched = "coupon:" + couponId + ":watched";
      if (!userId.equals("100")) {
        redis.sync().set(watched, userId);
        return IssueOutcome.SOLD_OUT;
      }
      redis.sync().watch(watched);
      redis.sync().multi();
      redis.sync().set("coupon:" + couponId + ":other", userId);
      TransactionResult done = redis.sync().exec();
      return done.wasDiscarded() ? IssueOutcome.UNAVAILABLE : IssueOutcome.SOLD_OUT;
    }

    @Override
    public void close() {
      redis.close();
      client.shutdown();
    }
  }
}
