package io.stockproof.ledger;

import static io.stockproof.ledger.SqlFailures.Meaning.CONFLICT;
import static io.stockproof.ledger.SqlFailures.Meaning.CONNECTION_LOST;
import static io.stockproof.ledger.SqlFailures.Meaning.DUPLICATE;
import static io.stockproof.ledger.SqlFailures.Meaning.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlFailuresTest {

  private static final Set<String> KEYS = Set.of("uk_issued_coupon_user");

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

  @Test
  void keyIsReadFromTheMessagesOfBothProducts() {
    assertThat(on("Duplicate entry '42-a' for key 'issued_coupon.uk_issued_coupon_user'")).isTrue();
    assertThat(on("(conn=7) Duplicate entry '42-a' for key 'uk_issued_coupon_user'")).isTrue();
    assertThat(on("Duplicate entry '5' for key 'PRIMARY'")).isFalse();
    assertThat(on("Duplicate entry '5' for key 'issued_coupon.PRIMARY'")).isFalse();
    assertThat(on("Duplicate entry 't' for key 'issued_coupon.uk_issued_coupon_user_2'")).isFalse();
  }

  @Test
  void userWhoIsCalledLikeTheKeyChangesNothing() {
    assertThat(on("Duplicate entry ''uk_issued_coupon_user'' for key 'issued_coupon.uk_token'"))
        .isFalse();
  }

  private static boolean on(String message) {
    return SqlFailures.isOn(KEYS, new SQLException(message, "23000", 1062));
  }
}
