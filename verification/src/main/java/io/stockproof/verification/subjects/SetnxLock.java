package io.stockproof.verification.subjects;

import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Subject;
import java.util.UUID;

/**
 * Article 004 v5: {@code SET NX PX} with a token, around the transaction of a separate bean;
 * released by comparing and deleting in one script, so that nobody deletes the lock of another.
 * Nothing renews it, and nothing in the database knows of it.
 */
final class SetnxLock implements Subject.Instance {
  static final String COMPARE_DELETE =
      """
      if redis.call('get', KEYS[1]) == ARGV[1]
        then return redis.call('del', KEYS[1]) else return 0 end""";

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  private final RedisCommands<String, String> redis;
  private final RedisScript release;
  private final LockSettings settings;
  private final Subject.Instance inner;

  SetnxLock(Endpoints endpoints, LockSettings settings) {
    this.settings = settings;
    this.client = RedisClient.create(endpoints.redisUri());
    this.connection = client.connect();
    this.redis = connection.sync();
    this.release = new RedisScript(redis, COMPARE_DELETE);
    this.inner = NoControl.start(endpoints);
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) throws Exception {
    String key = Subjects.LOCK_KEY.formatted(couponId);
    String token = UUID.randomUUID().toString();
    if (!new Patience(settings).until(() -> acquire(key, token))) {
      return IssueOutcome.UNAVAILABLE;
    }
    try {
      return inner.issue(couponId, userId);
    } finally {
      release.run(new String[] {key}, token);
    }
  }

  private boolean acquire(String key, String token) {
    return "OK".equals(redis.set(key, token, SetArgs.Builder.nx().px(settings.lease())));
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }
}
