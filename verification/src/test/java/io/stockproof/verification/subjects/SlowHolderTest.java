package io.stockproof.verification.subjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.JdbcAndRedisSubject;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.environment.PooledEndpoints;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Article 004 §5, trap 2: only a holder that is busy longer than its lease tells a watchdog from a
 * fixed time. The holder is alive all the time: the database makes it wait between its SELECT and
 * its INSERT.
 */
final class SlowHolderTest {
  private static final Environment ENVIRONMENT = Environments.shared();
  private static final long COUPON = 7_200_001;
  private static final Duration LEASE = Duration.ofMillis(300);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void a_watchdog_keeps_the_lock_of_a_slow_holder() throws Exception {
    assertThat(rowsAfterASlowHolder(Subjects.redissonLock(LockSettings.failFast(LEASE)), 1))
        .isEqualTo(1);
  }

  @Test
  void L12_a_fixed_lease_lets_the_next_one_in_and_both_issue() throws Exception {
    assertThat(rowsAfterASlowHolder(Subjects.setnxLock(LockSettings.failFast(LEASE)), 2))
        .isEqualTo(2);
  }

  @Test
  void L13_a_fence_lets_only_the_last_holder_write() throws Exception {
    assertThat(rowsAfterASlowHolder(Subjects.setnxLockFenced(LockSettings.failFast(LEASE)), 2))
        .isEqualTo(1);
  }

  /**
   * @param inside how many are expected to get past the lock while nobody can insert
   */
  private static long rowsAfterASlowHolder(JdbcAndRedisSubject made, int inside) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (JdbcAndRedisSubject subject = made;
        Connection admin = ENVIRONMENT.admin().getConnection();
        PooledEndpoints endpointsA = ENVIRONMENT.endpoints(2);
        PooledEndpoints endpointsB = ENVIRONMENT.endpoints(2)) {
      subject.reset(ENVIRONMENT, Scenario.users(COUPON, 2, 1, 2));
      try (Subject.Instance a = subject.start(endpointsA);
          Subject.Instance b = subject.start(endpointsB);
          Statement statement = admin.createStatement()) {
        Future<IssueOutcome> slow;
        Future<IssueOutcome> next;
        statement.execute("LOCK TABLES issued_coupon WRITE");
        try {
          slow = threads.submit(() -> a.issue(COUPON, "100"));
          awaitWaiting(statement, 1, Duration.ZERO);
          next = threads.submit(() -> askUntilDecided(b));
          awaitWaiting(statement, inside, LEASE.multipliedBy(4));
        } finally {
          statement.execute("UNLOCK TABLES");
        }
        List<IssueOutcome> told =
            List.of(slow.get(60, TimeUnit.SECONDS), next.get(60, TimeUnit.SECONDS));
        long rows = subject.observe(ENVIRONMENT, COUPON).rows();
        assertThat(told.stream().filter(IssueOutcome.ISSUED::equals)).hasSize((int) rows);
        return rows;
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static IssueOutcome askUntilDecided(Subject.Instance instance) throws Exception {
    IssueOutcome outcome = IssueOutcome.UNAVAILABLE;
    for (long end = System.nanoTime() + PATIENCE.toNanos();
        outcome == IssueOutcome.UNAVAILABLE && System.nanoTime() < end; ) {
      outcome = instance.issue(COUPON, "101");
    }
    return outcome;
  }

  /** Until so many, and no more for so long, wait to insert. */
  private static void awaitWaiting(Statement statement, int count, Duration during) {
    await().atMost(PATIENCE).until(() -> waiting(statement) >= count);
    await().atMost(PATIENCE).during(during).until(() -> waiting(statement) == count);
  }

  private static int waiting(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            """
            SELECT COUNT(*) FROM information_schema.PROCESSLIST
             WHERE STATE LIKE 'Waiting for table%lock' AND INFO LIKE 'INSERT INTO issued_coupon%'""")) {
      return row.next() ? row.getInt(1) : 0;
    }
  }
}
