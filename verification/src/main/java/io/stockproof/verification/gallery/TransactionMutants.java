package io.stockproof.verification.gallery;

import static io.stockproof.IssueOutcome.DUPLICATE;
import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.IssueOutcome.UNAVAILABLE;
import static io.stockproof.verification.rules.Rule.R103;
import static io.stockproof.verification.rules.Rule.R201;
import static io.stockproof.verification.rules.Rule.R301;
import static io.stockproof.verification.rules.Rule.R302;
import static io.stockproof.verification.rules.Rule.R303;
import static io.stockproof.verification.rules.Rule.R304;

import io.stockproof.IssueOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Mistakes in {@link LedgerIssuer}: how the transaction ends, and what is told when it fails. */
final class TransactionMutants {
  private TransactionMutants() {}

  static List<Mutant> all() {
    return List.of(
        autocommit(),
        failureCommits(),
        lockTimeoutSwallowed(),
        statementRetried(),
        commitForgotten(),
        commitFailureIsIssued(),
        lostCommitIsUnavailable(),
        lostCommitRetried(),
        lostCommitLookedUpTooEarly(),
        deadlockIsSoldOut(),
        markedBeforeDone());
  }

  private static Mutant autocommit() {
    return Mutant.of(
        Originals::ledger,
        "ledger-autocommit",
        "L05",
        "@Transactional on a method called from its own class: every statement commits",
        R103,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome transaction(Connection connection, Ask ask) throws SQLException {
                try {
                  return write(connection, ask);
                } catch (SQLException failure) {
                  return failed(ask, failure);
                }
              }
            });
  }

  private static Mutant failureCommits() {
    return Mutant.of(
        Originals::ledger,
        "ledger-failure-commits",
        "L06",
        "a checked exception: the transaction commits what it had done so far",
        R103,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome write(Connection tx, Ask ask) throws SQLException {
                try {
                  return super.write(tx, ask);
                } catch (SQLException failure) {
                  tx.commit();
                  throw failure;
                }
              }
            });
  }

  private static Mutant lockTimeoutSwallowed() {
    return Mutant.of(
        Originals::ledger,
        "ledger-lock-timeout-swallowed",
        "D11",
        "1205 rolls back one statement; it is logged, and the rest commits",
        R103,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              int increase(Connection tx, Ask ask) throws SQLException {
                try {
                  return super.increase(tx, ask);
                } catch (SQLException busy) {
                  return Sql.isConflict(busy) ? 1 : super.increase(tx, ask);
                }
              }
            });
  }

  private static Mutant statementRetried() {
    return Mutant.of(
        Originals::ledger,
        "ledger-statement-retried",
        "D25,D26",
        "after 1213 only the statement is retried: the UPDATE before it is gone",
        R103,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              void insert(Connection tx, Ask ask) throws SQLException {
                try {
                  super.insert(tx, ask);
                } catch (SQLException failure) {
                  if (!Sql.isConflict(failure)) {
                    throw failure;
                  }
                  super.insert(tx, ask);
                }
              }
            });
  }

  private static Mutant commitForgotten() {
    return Mutant.of(
        Originals::ledger,
        "ledger-commit-forgotten",
        "L05,T03",
        "autocommit is switched off and nobody commits: the pool rolls back",
        R301,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome commit(Connection tx, Ask ask) {
                return ISSUED;
              }
            });
  }

  private static Mutant commitFailureIsIssued() {
    return Mutant.of(
        Originals::ledger,
        "ledger-commit-failure-is-issued",
        "A01,D35",
        "ISSUED is told although COMMIT failed: nobody looks at how it ended",
        R301,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome commit(Connection tx, Ask ask) throws SQLException {
                super.commit(tx, ask);
                return ISSUED;
              }
            });
  }

  private static Mutant lostCommitIsUnavailable() {
    return Mutant.of(
        Originals::ledger,
        "ledger-lost-commit-is-unavailable",
        "D33",
        "a COMMIT without an answer is taken for not committed",
        R302,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome commit(Connection tx, Ask ask) throws SQLException {
                return super.commit(tx, ask) == ISSUED ? ISSUED : UNAVAILABLE;
              }
            });
  }

  private static Mutant lostCommitRetried() {
    return Mutant.of(
        Originals::ledger,
        "ledger-lost-commit-retried",
        "H01",
        "after a lost COMMIT all is tried again, with no token to know one's own row by",
        R201,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome commit(Connection tx, Ask ask) throws SQLException {
                return super.commit(tx, ask) == ISSUED ? ISSUED : record(ask);
              }
            });
  }

  private static Mutant lostCommitLookedUpTooEarly() {
    return Mutant.of(
        Originals::ledger,
        "ledger-lost-commit-looked-up-early",
        "D33",
        "the row is looked up at once; the COMMIT that was lost arrives later",
        R302,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome commit(Connection tx, Ask ask) throws SQLException {
                if (super.commit(tx, ask) == ISSUED) {
                  return ISSUED;
                }
                try (Connection fresh = dataSource.getConnection()) {
                  long row = Sql.number(fresh, READ_ROW, ask.couponId(), ask.userId());
                  return row == 1 ? ISSUED : UNAVAILABLE;
                }
              }
            });
  }

  private static Mutant deadlockIsSoldOut() {
    return Mutant.of(
        Originals::ledger,
        "ledger-deadlock-is-sold-out",
        "D10,D26",
        "1213 falls into the branch for a lost race and is told as sold out",
        R303,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome failed(Ask ask, SQLException failure) throws SQLException {
                return Sql.isConflict(failure) ? SOLD_OUT : super.failed(ask, failure);
              }
            });
  }

  private static Mutant markedBeforeDone() {
    return Mutant.of(
        Originals::ledger,
        "ledger-marked-before-done",
        "H02",
        "who has asked is marked at the start, and stays a duplicate if it fails",
        R304,
        endpoints ->
            new LedgerIssuer(endpoints) {
              private final Set<String> asked = ConcurrentHashMap.newKeySet();

              @Override
              public IssueOutcome issue(long couponId, String userId) throws Exception {
                return asked.add(couponId + ":" + userId)
                    ? super.issue(couponId, userId)
                    : DUPLICATE;
              }
            });
  }
}
