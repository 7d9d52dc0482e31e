package io.stockproof.ledger;

import static io.stockproof.ledger.SqlFailures.Meaning.CONFLICT;
import static io.stockproof.ledger.SqlFailures.Meaning.CONNECTION_LOST;
import static io.stockproof.ledger.SqlFailures.Meaning.DUPLICATE;
import static io.stockproof.ledger.SqlFailures.Meaning.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlFailuresTest {

  @ParameterizedTest
  @CsvSource({
    "1213, 40001",
    "1205, HY000",
    "1020, HY000",
    "0, 40001",
  })
  void D10_D11_D13_D35_conflictsMayBeTriedAgain(int code, String state) {
    assertThat(SqlFailures.meaning(new SQLException("", state, code))).isEqualTo(CONFLICT);
  }

  @Test
  void D16_duplicateIsKnownByItsCodeNotItsClass() {
    assertThat(SqlFailures.meaning(new SQLException("", "23000", 1062))).isEqualTo(DUPLICATE);
    assertThat(
            SqlFailures.meaning(
                new SQLIntegrityConstraintViolationException("foreign key", "23000", 1452)))
        .isEqualTo(REFUSED);
  }

  @ParameterizedTest
  @CsvSource({"0, 08S01", "0, 08003", "1927, 70100", "1053, 08S01", "4031, HY000"})
  void lostConnectionsAreKnown(int code, String state) {
    assertThat(SqlFailures.meaning(new SQLException("", state, code))).isEqualTo(CONNECTION_LOST);
  }
}
