package io.stockproof.verification.gallery;

import static io.stockproof.verification.rules.Rule.R401;
import static io.stockproof.verification.rules.Rule.R402;
import static io.stockproof.verification.rules.Rule.R403;

import io.stockproof.IssueOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Mistakes in {@link GateIssuer}: right answers that cost the database what they need not. */
final class CostMutants {
  private CostMutants() {}

  static List<Mutant> all() {
    return List.of(refusalWrites(), refusalReads(), cacheInsideTransaction());
  }

  private static Mutant refusalWrites() {
    return Mutant.of(
        Originals::gate,
        "gate-refusal-writes",
        "D22",
        "whom the gate refuses is refused again by the ledger: an UPDATE of 0 rows",
        R401,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              IssueOutcome soldOut(Ask ask) throws SQLException {
                return record(ask);
              }
            });
  }

  private static Mutant refusalReads() {
    return Mutant.of(
        Originals::gate,
        "gate-refusal-reads",
        "G30",
        "the gate is not believed: each refusal reads the coupon once more",
        R402,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              IssueOutcome soldOut(Ask ask) throws SQLException {
                try (Connection connection = dataSource.getConnection()) {
                  long[] coupon = Sql.numbers(connection, 2, READ_COUPON, ask.couponId());
                  return coupon[0] >= coupon[1] ? IssueOutcome.SOLD_OUT : IssueOutcome.UNAVAILABLE;
                }
              }
            });
  }

  private static Mutant cacheInsideTransaction() {
    return Mutant.of(
        Originals::gate,
        "gate-cache-inside-transaction",
        "L11",
        "a cached page is dropped in Redis inside of the transaction, which then waits",
        R403,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              void insert(Connection tx, Ask ask) throws SQLException {
                super.insert(tx, ask);
                redis.commands().del("coupon:{" + ask.couponId() + "}:page");
              }
            });
  }
}
