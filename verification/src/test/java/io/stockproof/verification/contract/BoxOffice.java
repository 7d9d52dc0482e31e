package io.stockproof.verification.contract;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.stockproof.IssueOutcome;
import io.stockproof.verification.Subject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * An issuer with everything of its own. Redis only remembers what the database has given, so that a
 * sold-out concert is cheap: it never decides, and what it loses it may lose.
 */
final class BoxOffice implements Subject.Instance {
  private static final String REMEMBER =
      """
      if redis.call('SADD', KEYS[2], ARGV[1]) == 1 and redis.call('EXISTS', KEYS[1]) == 1 then
        redis.call('DECR', KEYS[1])
      end
      return 1""";

  private final DataSource dataSource;
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> redis;

  BoxOffice(DataSource dataSource, String redisUri) {
    this.dataSource = dataSource;
    this.client = RedisClient.create(redisUri);
    client.setOptions(
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .build());
    this.redis = client.connect();
    redis.setTimeout(Duration.ofSeconds(2));
  }

  @Override
  public IssueOutcome issue(long concert, String guest) throws SQLException {
    if (isKnownToBeSoldOut(concert)) {
      return IssueOutcome.SOLD_OUT;
    }
    IssueOutcome outcome = sell(concert, guest);
    if (outcome == IssueOutcome.ISSUED) {
      remember(concert, guest);
    }
    return outcome;
  }

  private IssueOutcome sell(long concert, String guest) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        if (update(
                connection,
                "UPDATE concert SET taken = taken + 1 WHERE no = ? AND taken < seats",
                concert)
            == 0) {
          connection.rollback();
          return IssueOutcome.SOLD_OUT;
        }
        update(connection, "INSERT INTO ticket (concert, guest) VALUES (?, ?)", concert, guest);
        connection.commit();
        return IssueOutcome.ISSUED;
      } catch (SQLIntegrityConstraintViolationException hasOne) {
        connection.rollback();
        return IssueOutcome.DUPLICATE;
      }
    }
  }

  private static int update(Connection connection, String sql, Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      return statement.executeUpdate();
    }
  }

  private boolean isKnownToBeSoldOut(long concert) {
    try {
      return "0".equals(redis.sync().get("concert:" + concert + ":left"));
    } catch (RedisException unknown) {
      return false;
    }
  }

  private void remember(long concert, String guest) {
    String[] keys = {"concert:" + concert + ":left", "concert:" + concert + ":guests"};
    try {
      redis.sync().eval(REMEMBER, ScriptOutputType.INTEGER, keys, guest);
    } catch (RedisException forgotten) {
      // The database knows.
      return;
    }
  }

  @Override
  public void close() {
    redis.close();
    client.shutdown();
  }
}
