package io.stockproof.verification.gallery;

import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.verification.rules.Rule.R101;
import static io.stockproof.verification.rules.Rule.R308;
import static io.stockproof.verification.rules.Rule.R503;
import static io.stockproof.verification.rules.Rule.R504;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Capability;
import io.stockproof.verification.Endpoints;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** Mistakes with locks: of the process, of the database, of Redis with a lease. */
final class LockMutants {
  private LockMutants() {}

  static List<Mutant> all() {
    return List.of(
        monitorInsideTransaction(),
        monitorForEachUser(),
        monitorAfterCheck(),
        monitorNotWaitedFor(),
        monitorOfEachProcess(),
        namedLockReleasedBeforeCommit(),
        namedLockInsideTransaction(),
        namedLockResultIgnored(),
        namedLockForEachUser(),
        leaseWithoutFence(),
        fenceOnlyAtWrite(),
        leaseLookedAtBeforeWrite(),
        anyoneUnlocks(),
        lockWithoutLease(),
        contentionIsSoldOut());
  }

  private static Mutant monitorInsideTransaction() {
    return Mutant.of(
        Originals::monitor,
        "monitor-inside-transaction",
        "L02",
        "synchronized inside @Transactional: the monitor is left before COMMIT",
        R101,
        endpoints ->
            new MonitorIssuer(endpoints) {
              @Override
              public IssueOutcome issue(long couponId, String userId) throws SQLException {
                return record(Ask.of(couponId, userId));
              }

              @Override
              IssueOutcome write(Connection tx, Ask ask) throws SQLException {
                lock.lock();
                try {
                  return super.write(tx, ask);
                } finally {
                  lock.unlock();
                }
              }
            });
  }

  private static Mutant monitorForEachUser() {
    return Mutant.of(
        Originals::monitor,
        "monitor-for-each-user",
        "L04",
        "each user has a lock, the coupon has none",
        R101,
        endpoints ->
            new MonitorIssuer(endpoints) {
              private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

              @Override
              public IssueOutcome issue(long couponId, String userId) throws SQLException {
                ReentrantLock ofUser = locks.computeIfAbsent(userId, id -> new ReentrantLock());
                ofUser.lock();
                try {
                  return record(Ask.of(couponId, userId));
                } finally {
                  ofUser.unlock();
                }
              }
            });
  }

  private static Mutant monitorAfterCheck() {
    return Mutant.of(
        Originals::monitor,
        "monitor-after-check",
        "D05",
        "the lock is taken after the check, around the write only",
        R101,
        endpoints ->
            new MonitorIssuer(endpoints) {
              @Override
              public IssueOutcome issue(long couponId, String userId) throws Exception {
                try (Connection connection = dataSource.getConnection()) {
                  long[] coupon = Sql.numbers(connection, 2, READ_COUPON, couponId);
                  if (coupon[0] >= coupon[1]) {
                    return refuse(connection, Ask.of(couponId, userId));
                  }
                }
                return super.issue(couponId, userId);
              }

              @Override
              IssueOutcome write(Connection tx, Ask ask) throws SQLException {
                Sql.update(tx, ADD_ONE, ask.couponId());
                insert(tx, ask);
                return ISSUED;
              }
            });
  }

  private static Mutant monitorNotWaitedFor() {
    return Mutant.of(
        Originals::monitor,
        "monitor-result-ignored",
        "K10",
        "tryLock() returns false, and nobody looks",
        R101,
        endpoints ->
            new MonitorIssuer(endpoints) {
              @Override
              public IssueOutcome issue(long couponId, String userId) throws SQLException {
                boolean locked = lock.tryLock();
                try {
                  return record(Ask.of(couponId, userId));
                } finally {
                  if (locked) {
                    lock.unlock();
                  }
                }
              }
            });
  }

  private static Mutant monitorOfEachProcess() {
    return Mutant.of(
        (name, starter) -> Originals.monitor(name, starter).claiming(Capability.MULTI_INSTANCE),
        "monitor-of-each-process",
        "L02",
        "a lock of the process, where two processes run",
        R101,
        MonitorIssuer::new);
  }

  private static Mutant namedLockReleasedBeforeCommit() {
    return Mutant.of(
        Originals::namedLock,
        "named-lock-released-before-commit",
        "L01",
        "the lock is released when the method ends, and COMMIT comes after it",
        R101,
        endpoints ->
            new NamedLockIssuer(endpoints) {
              @Override
              IssueOutcome write(Connection tx, Ask ask) throws SQLException {
                IssueOutcome told = super.write(tx, ask);
                Sql.number(tx, "SELECT RELEASE_LOCK(?)", name(ask));
                return told;
              }
            });
  }

  private static Mutant namedLockInsideTransaction() {
    return Mutant.of(
        Originals::namedLock,
        "named-lock-inside-transaction",
        "L01,D06",
        "the transaction has read before the lock is taken, and keeps that snapshot",
        R101,
        endpoints ->
            new NamedLockIssuer(endpoints) {
              @Override
              boolean lock(Connection connection, Ask ask) {
                try {
                  connection.setAutoCommit(false);
                  Sql.number(connection, READ_COUPON, ask.couponId());
                } catch (SQLException failure) {
                  return false;
                }
                return super.lock(connection, ask);
              }
            });
  }

  private static Mutant namedLockResultIgnored() {
    return Mutant.of(
        Originals::namedLock,
        "named-lock-result-ignored",
        "K10,K15",
        "who does not get the lock goes on without it",
        R101,
        endpoints ->
            new NamedLockIssuer(endpoints) {
              @Override
              boolean lock(Connection connection, Ask ask) {
                super.lock(connection, ask);
                return true;
              }
            });
  }

  private static Mutant namedLockForEachUser() {
    return Mutant.of(
        Originals::namedLock,
        "named-lock-for-each-user",
        "L04",
        "the lock is named after the user, the limit is the coupon's",
        R101,
        endpoints ->
            new NamedLockIssuer(endpoints) {
              @Override
              String name(Ask ask) {
                return super.name(ask) + ":" + ask.userId();
              }
            });
  }

  private static Mutant leaseWithoutFence() {
    return Mutant.of(
        Originals::leaseLock,
        "lease-lock-without-fence",
        "K03,K06",
        "a holder whose lease has run out writes all the same",
        R101,
        Unfenced::new);
  }

  private static Mutant leaseLookedAtBeforeWrite() {
    return Mutant.of(
        Originals::leaseLock,
        "lease-lock-looked-at-before-write",
        "K03,K14",
        "a holder asks Redis whether it still holds the lock, and then stalls",
        R504,
        endpoints ->
            new Unfenced(endpoints) {
              @Override
              IssueOutcome write(Connection tx, Ask ask) throws SQLException {
                String holder = redis.commands().get(keys(ask.couponId())[0]);
                return ask.token().equals(holder) ? super.write(tx, ask) : IssueOutcome.UNAVAILABLE;
              }
            });
  }

  private static Mutant fenceOnlyAtWrite() {
    return Mutant.of(
        Originals::leaseLock,
        "lease-lock-fence-only-at-write",
        "K03",
        "the fence is compared when writing; what was read before it is stale",
        R101,
        endpoints ->
            new LeaseLockIssuer(endpoints) {
              @Override
              boolean claim(Connection connection, Ask ask) {
                return true;
              }

              @Override
              int writeBack(Connection tx, Ask ask, long issued) throws SQLException {
                return Sql.update(
                    tx,
                    "UPDATE coupon SET issued = ?, epoch = ? WHERE id = ? AND epoch < ?",
                    issued,
                    ask.fence(),
                    ask.couponId(),
                    ask.fence());
              }
            });
  }

  private static Mutant anyoneUnlocks() {
    return Mutant.of(
        Originals::leaseLock,
        "lease-lock-anyone-unlocks",
        "K01",
        "who did not get the lock deletes it in finally, without comparing the token",
        R101,
        endpoints ->
            new Unfenced(endpoints) {
              @Override
              IssueOutcome notLocked(Ask ask) {
                redis.commands().del(keys(ask.couponId())[0]);
                return super.notLocked(ask);
              }
            });
  }

  private static Mutant lockWithoutLease() {
    return Mutant.of(
        Originals::leaseLock,
        "lease-lock-without-lease",
        "K02",
        "SETNX without an expiry: a crash leaves a lock that nobody opens",
        R503,
        endpoints ->
            new LeaseLockIssuer(endpoints) {
              @Override
              long lock(Ask ask) {
                String[] keys = keys(ask.couponId());
                boolean locked = redis.commands().setnx(keys[0], ask.token());
                return locked ? redis.commands().incr(keys[1]) : 0;
              }

              @Override
              public void reconcile(long couponId) {
                // There is no lease that could run out.
              }
            });
  }

  private static Mutant contentionIsSoldOut() {
    return Mutant.of(
        Originals::leaseLock,
        "lease-lock-contention-is-sold-out",
        "K16",
        "who does not get the lock is told that all is sold",
        R308,
        endpoints ->
            new LeaseLockIssuer(endpoints) {
              @Override
              IssueOutcome notLocked(Ask ask) {
                return SOLD_OUT;
              }
            });
  }

  /** The lock alone, as most are used. */
  private static class Unfenced extends LeaseLockIssuer {
    Unfenced(Endpoints endpoints) {
      super(endpoints);
    }

    @Override
    boolean claim(Connection connection, Ask ask) {
      return true;
    }

    @Override
    int writeBack(Connection tx, Ask ask, long issued) throws SQLException {
      return Sql.update(tx, SET_ISSUED, issued, ask.couponId());
    }
  }
}
