package io.stockproof.verification.gallery;

import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.UNAVAILABLE;
import static io.stockproof.verification.rules.Rule.R102;
import static io.stockproof.verification.rules.Rule.R103;
import static io.stockproof.verification.rules.Rule.R201;
import static io.stockproof.verification.rules.Rule.R304;
import static io.stockproof.verification.rules.Rule.R306;
import static io.stockproof.verification.rules.Rule.R307;

import io.stockproof.IssueOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Mistakes in {@link LedgerIssuer}: the row, its key, and who else it is taken for. */
final class RowMutants {
  private RowMutants() {}

  static List<Mutant> all() {
    return List.of(
        nullableKeyPart(),
        caseInsensitiveKey(),
        insertIgnore(),
        upsert(),
        duplicateIsIssued(),
        unsignedArithmetic(),
        refusalIsException(),
        rowInOwnTransaction());
  }

  private static Mutant nullableKeyPart() {
    return Mutant.of(
        (name, starter) ->
            Originals.ledgerWhere(
                "UNIQUE KEY uk_issued_coupon_user (coupon_id, user_id)",
                "deleted_at TIMESTAMP NULL,\n"
                    + "  UNIQUE KEY uk_issued_coupon_user (coupon_id, user_id, deleted_at)",
                name,
                starter),
        "ledger-nullable-key-part",
        "D20",
        "a NULLable column in the unique key: NULL is unlike NULL",
        R102,
        LedgerIssuer::new);
  }

  private static Mutant caseInsensitiveKey() {
    return Mutant.of(
        (name, starter) ->
            Originals.ledgerWhere(
                "user_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin",
                "user_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_general_ci",
                name,
                starter),
        "ledger-case-insensitive-key",
        "D21",
        "the column's collation takes Ab and ab for one person",
        R304,
        LedgerIssuer::new);
  }

  private static Mutant insertIgnore() {
    return Mutant.of(
        Originals::ledger,
        "ledger-insert-ignore",
        "D18",
        "INSERT IGNORE: a duplicate is no error, and the counter has moved",
        R103,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              void insert(Connection tx, Ask ask) throws SQLException {
                Sql.update(
                    tx,
                    "INSERT IGNORE INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)",
                    ask.couponId(),
                    ask.userId());
              }
            });
  }

  private static Mutant upsert() {
    return Mutant.of(
        Originals::ledger,
        "ledger-upsert",
        "D31",
        "save() merges: the second request rewrites the first one's row",
        R307,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              void insert(Connection tx, Ask ask) throws SQLException {
                Sql.update(
                    tx,
                    ADD_ROW + " ON DUPLICATE KEY UPDATE issued_at = CURRENT_TIMESTAMP(3)",
                    ask.couponId(),
                    ask.userId());
              }
            });
  }

  private static Mutant duplicateIsIssued() {
    return Mutant.of(
        Originals::ledger,
        "ledger-duplicate-is-issued",
        "H01",
        "1062 is told as ISSUED, as if it were one's own first attempt",
        R201,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome failed(Ask ask, SQLException failure) {
                return Sql.isDuplicate(failure) ? ISSUED : UNAVAILABLE;
              }
            });
  }

  private static Mutant unsignedArithmetic() {
    return Mutant.of(
        (name, starter) ->
            Originals.ledgerWhere(
                "total BIGINT NOT NULL", "total BIGINT UNSIGNED NOT NULL", name, starter),
        "ledger-unsigned-arithmetic",
        "D23",
        "total - issued - 1 is unsigned: error 1690 where 0 rows were meant",
        R307,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              int increase(Connection tx, Ask ask) throws SQLException {
                return Sql.update(tx, ADD_ONE + " AND total - issued - 1 >= 0", ask.couponId());
              }
            });
  }

  private static Mutant refusalIsException() {
    return Mutant.of(
        Originals::ledger,
        "ledger-refusal-is-exception",
        "D15",
        "an expected refusal reaches the caller as an exception",
        R306,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              IssueOutcome refuse(Connection tx, Ask ask) throws SQLException {
                throw new IllegalStateException("refused: " + super.refuse(tx, ask));
              }
            });
  }

  private static Mutant rowInOwnTransaction() {
    return Mutant.of(
        Originals::ledger,
        "ledger-row-in-own-transaction",
        "L07",
        "REQUIRES_NEW: the row commits before the counter, and without it",
        R103,
        endpoints ->
            new LedgerIssuer(endpoints) {
              @Override
              void insert(Connection tx, Ask ask) throws SQLException {
                try (Connection another = dataSource.getConnection()) {
                  Sql.update(another, ADD_ROW, ask.couponId(), ask.userId());
                }
              }
            });
  }
}
