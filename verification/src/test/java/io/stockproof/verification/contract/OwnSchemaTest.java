package io.stockproof.verification.contract;

import io.stockproof.verification.GateKeys;
import io.stockproof.verification.IssuanceContract;
import io.stockproof.verification.LedgerQueries;
import io.stockproof.verification.Subject;
import java.util.List;

/** An issuer with tables, keys and a script of its own is held to every rule by thirty lines. */
class OwnSchemaTest extends IssuanceContract {
  private static final LedgerQueries TICKETS =
      new LedgerQueries(
          List.of(
              "CREATE TABLE concert (no BIGINT PRIMARY KEY, seats INT, taken INT NOT NULL DEFAULT 0)",
              """
              CREATE TABLE ticket (concert BIGINT, guest VARCHAR(64) COLLATE utf8mb4_bin,
                                   PRIMARY KEY (concert, guest))"""),
          List.of("DROP TABLE IF EXISTS ticket", "DROP TABLE IF EXISTS concert"),
          "INSERT INTO concert (no, seats) VALUES (?, ?)",
          List.of("DELETE FROM ticket WHERE concert = ?", "DELETE FROM concert WHERE no = ?"),
          """
          SELECT c.taken, t.guest, COUNT(t.guest) FROM concert c LEFT JOIN ticket t
              ON t.concert = c.no WHERE c.no = ? GROUP BY c.taken, t.guest""",
          "SELECT 1 FROM ticket WHERE concert = ? AND guest = ?");

  @Override
  protected Subject subject() {
    return Subject.jdbcAndRedis(
            "box-office", endpoints -> new BoxOffice(endpoints.dataSource(), endpoints.redisUri()))
        .withLedger(TICKETS)
        .withGate(GateKeys.of("concert:%d:left", "concert:%d:guests"));
  }
}
