package io.stockproof.verification.subjects;

import io.lettuce.core.RedisURI;
import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Subject;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;

/**
 * Article 004 v4: Redisson's lock around the transaction of a separate bean. No lease is given, so
 * its watchdog renews the lock while this process lives; who does not get it is refused at once;
 * who no longer holds it does not unlock.
 */
final class RedissonLock implements Subject.Instance {
  private static final int CONNECTIONS = 4;
  private static final int THREADS = 2;
  private static final Duration RECONNECTION = Duration.ofMillis(5);

  /** Times four, Redisson's number of attempts, is what a command may wait on a busy machine. */
  private static final Duration RETRY = Duration.ofMillis(500);

  private final RedissonClient redissonClient;
  private final LockSettings settings;
  private final Subject.Instance inner;

  RedissonLock(Endpoints endpoints, LockSettings settings) {
    this.settings = settings;
    this.redissonClient = Redisson.create(config(endpoints, settings));
    this.inner = NoControl.start(endpoints);
  }

  /**
   * As few threads and as little unasked traffic as Redisson can be told; lock and watchdog as they
   * are.
   */
  private static Config config(Endpoints endpoints, LockSettings settings) {
    Config config =
        new Config()
            .setThreads(THREADS)
            .setNettyThreads(THREADS)
            .setLockWatchdogTimeout(settings.lease().toMillis());
    config
        .useSingleServer()
        .setAddress(endpoints.redisUri())
        .setDatabase(RedisURI.create(endpoints.redisUri()).getDatabase())
        .setConnectionMinimumIdleSize(CONNECTIONS)
        .setSubscriptionConnectionMinimumIdleSize(0)
        .setPingConnectionInterval(0)
        .setDnsMonitoringInterval(-1)
        .setRetryDelay(new ConstantDelay(RETRY))
        .setReconnectionDelay(new ConstantDelay(RECONNECTION));
    return config;
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) throws Exception {
    RLock lock = redissonClient.getLock(Subjects.LOCK_KEY.formatted(couponId));
    boolean locked = lock.tryLock(settings.patience().toMillis(), TimeUnit.MILLISECONDS);
    if (!locked) {
      return IssueOutcome.UNAVAILABLE;
    }
    try {
      return inner.issue(couponId, userId);
    } finally {
      if (lock.isHeldByCurrentThread()) {
        lock.unlock();
      }
    }
  }

  @Override
  public void close() {
    redissonClient.shutdown(0, 1, TimeUnit.SECONDS);
  }
}
