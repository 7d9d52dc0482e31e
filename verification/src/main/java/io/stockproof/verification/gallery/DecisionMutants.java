package io.stockproof.verification.gallery;

import static io.stockproof.IssueOutcome.DUPLICATE;
import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.verification.rules.Rule.R101;
import static io.stockproof.verification.rules.Rule.R102;
import static io.stockproof.verification.rules.Rule.R103;
import static io.stockproof.verification.rules.Rule.R308;

import io.stockproof.IssueOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Mistakes in {@link LedgerIssuer}: who decides that a unit is left, and when. */
final class DecisionMutants {
  private DecisionMutants() {}

  static List<Mutant> all() {
    return List.of(
        countThenInsert(),
        affectedRowsIgnored(),
        lostUpdate(),
        checkBeforeTransaction(),
        lockWithoutTransaction(),
        snapshotReRead(),
        staleRetry(),
        cachedCoupon(),
        localCounter(),
        dirtyFlush(),
        checkForUniqueKey(),
        skipLocked());
  }

  private static Mutant countThenInsert() {
    return Mutant.of(
        Originals::ledger,
        "ledger-count-then-insert",
        "D01",
        "rows are counted and compared with the total, then one is inserted",
        R101,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome write(Connection tx, Ask ask) throws SQLException {
                long total = Sql.numbers(tx, 2, READ_COUPON, ask.couponId())[1];
                if (Sql.number(tx, COUNT_ROWS, ask.couponId()) >= total) {
                  return refuse(tx, ask);
                }
                insert(tx, ask);
                Sql.update(tx, ADD_ONE, ask.couponId());
                return ISSUED;
              }
            });
  }

  private static Mutant affectedRowsIgnored() {
    return Mutant.of(
        Originals::ledger,
        "ledger-affected-rows-ignored",
        "D04",
        "that the UPDATE changed 0 rows is not looked at",
        R101,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome write(Connection tx, Ask ask) throws SQLException {
                increase(tx, ask);
                insert(tx, ask);
                return ISSUED;
              }
            });
  }

  private static Mutant lostUpdate() {
    return Mutant.of(
        Originals::ledger,
        "ledger-lost-update",
        "D02",
        "the counter is read, added to in memory and written back as a number",
        R103,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              int increase(Connection tx, Ask ask) throws SQLException {
                long[] coupon = Sql.numbers(tx, 2, READ_COUPON, ask.couponId());
                return coupon[0] < coupon[1]
                    ? Sql.update(tx, SET_ISSUED, coupon[0] + 1, ask.couponId())
                    : 0;
              }
            });
  }

  private static Mutant checkBeforeTransaction() {
    return Mutant.of(
        Originals::ledger,
        "ledger-check-before-transaction",
        "D05",
        "the limit is validated before the transaction that writes, not in it",
        R101,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome transaction(Connection connection, Ask ask) throws SQLException {
                connection.setAutoCommit(true);
                long[] coupon = Sql.numbers(connection, 2, READ_COUPON, ask.couponId());
                return coupon[0] >= coupon[1]
                    ? refuse(connection, ask)
                    : super.transaction(connection, ask);
              }

              @Override
              int increase(Connection tx, Ask ask) throws SQLException {
                return Sql.update(tx, ADD_ONE, ask.couponId());
              }
            });
  }

  private static Mutant lockWithoutTransaction() {
    return Mutant.of(
        Originals::ledger,
        "ledger-lock-without-transaction",
        "T07,L05",
        "SELECT … FOR UPDATE without a transaction: the lock is gone at once",
        R101,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome transaction(Connection connection, Ask ask) throws SQLException {
                connection.setAutoCommit(true);
                long[] coupon =
                    Sql.numbers(connection, 2, READ_COUPON + " FOR UPDATE", ask.couponId());
                return coupon[0] >= coupon[1]
                    ? refuse(connection, ask)
                    : super.transaction(connection, ask);
              }

              @Override
              int increase(Connection tx, Ask ask) throws SQLException {
                return Sql.update(tx, ADD_ONE, ask.couponId());
              }
            });
  }

  private static Mutant snapshotReRead() {
    return Mutant.of(
        Originals::ledger,
        "ledger-snapshot-re-read",
        "D06",
        "rows are counted again under the lock, but from the snapshot of before",
        R101,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome write(Connection tx, Ask ask) throws SQLException {
                // Is it worth while to lock? This reading begins the snapshot.
                Sql.number(tx, COUNT_ROWS, ask.couponId());
                long total = Sql.numbers(tx, 2, READ_COUPON + " FOR UPDATE", ask.couponId())[1];
                if (Sql.number(tx, COUNT_ROWS, ask.couponId()) >= total) {
                  return refuse(tx, ask);
                }
                Sql.update(tx, ADD_ONE, ask.couponId());
                insert(tx, ask);
                return ISSUED;
              }
            });
  }

  private static Mutant staleRetry() {
    return Mutant.of(
        Originals::ledger,
        "ledger-retry-in-same-transaction",
        "D25,D28,K16",
        "a lost compare-and-set is retried in its transaction, then told as sold out",
        R308,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome write(Connection tx, Ask ask) throws SQLException {
                for (int attempt = 0; attempt < 3; attempt++) {
                  long read = Sql.number(tx, READ_COUPON, ask.couponId());
                  if (Sql.update(
                          tx,
                          SET_ISSUED + " AND issued = ? AND issued < total",
                          read + 1,
                          ask.couponId(),
                          read)
                      == 1) {
                    insert(tx, ask);
                    return ISSUED;
                  }
                }
                return SOLD_OUT;
              }
            });
  }

  private static Mutant cachedCoupon() {
    return Mutant.of(
        Originals::ledger,
        "ledger-cached-coupon",
        "D29,G30",
        "the check uses a copy of the coupon that was read some time before",
        R101,
        endpoints ->
            new LedgerIssuer(endpoints) {
              private final Map<Long, long[]> cache = new ConcurrentHashMap<>();

              @Override
              int increase(Connection tx, Ask ask) throws SQLException {
                long[] coupon = cache.get(ask.couponId());
                if (coupon == null) {
                  coupon = Sql.numbers(tx, 2, READ_COUPON, ask.couponId());
                  cache.put(ask.couponId(), coupon);
                }
                return coupon[0] < coupon[1] ? Sql.update(tx, ADD_ONE, ask.couponId()) : 0;
              }
            });
  }

  private static Mutant localCounter() {
    return Mutant.of(
        Originals::ledger,
        "ledger-local-counter",
        "G29,L02",
        "what is left is counted in memory, by each instance for itself",
        R101,
        endpoints ->
            new LedgerIssuer(endpoints) {
              private final Map<Long, AtomicLong> left = new ConcurrentHashMap<>();

              @Override
              int increase(Connection tx, Ask ask) throws SQLException {
                long total = Sql.numbers(tx, 2, READ_COUPON, ask.couponId())[1];
                AtomicLong mine = left.computeIfAbsent(ask.couponId(), id -> new AtomicLong(total));
                return mine.getAndDecrement() > 0 ? Sql.update(tx, ADD_ONE, ask.couponId()) : 0;
              }
            });
  }

  private static Mutant dirtyFlush() {
    return Mutant.of(
        Originals::ledger,
        "ledger-dirty-flush",
        "D30",
        "after the atomic UPDATE the entity is flushed with its old counter",
        R103,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome write(Connection tx, Ask ask) throws SQLException {
                long[] entity = Sql.numbers(tx, 2, READ_COUPON, ask.couponId());
                IssueOutcome told = super.write(tx, ask);
                Sql.update(
                    tx,
                    "UPDATE coupon SET issued = ?, total = ? WHERE id = ?",
                    entity[0],
                    entity[1],
                    ask.couponId());
                return told;
              }
            });
  }

  private static Mutant checkForUniqueKey() {
    return Mutant.of(
        (name, starter) -> Originals.ledgerWhere("UNIQUE KEY uk", "KEY ix", name, starter),
        "ledger-check-for-unique-key",
        "D20,H02",
        "a look for the user's row stands in for a unique key",
        R102,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome write(Connection tx, Ask ask) throws SQLException {
                return Sql.number(tx, READ_ROW, ask.couponId(), ask.userId()) == 1
                    ? DUPLICATE
                    : super.write(tx, ask);
              }
            });
  }

  private static Mutant skipLocked() {
    return Mutant.of(
        Originals::ledger,
        "ledger-skip-locked",
        "K16",
        "SKIP LOCKED finds no coupon while another request holds it: sold out",
        R308,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome write(Connection tx, Ask ask) throws SQLException {
                long free =
                    Sql.number(
                        tx,
                        "SELECT 1 FROM coupon WHERE id = ? FOR UPDATE SKIP LOCKED",
                        ask.couponId());
                return free == 0 ? SOLD_OUT : super.write(tx, ask);
              }
            });
  }
}
