package io.stockproof.verification.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and housekeeping of statements. */
class SqlTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select 1 from t | SELECT",
        "/* mysql-connector-j */SELECT  @@session.x | SELECT",
        "(SELECT a FROM t) UNION (SELECT b FROM t) | SELECT",
        "/*!40101 SET NAMES utf8 */ | SET",
        "-- why | ''",
        "START TRANSACTION | BEGIN",
        "  update t set a = 1 | UPDATE",
        "'' | ''"
      })
  void namesAreTheFirstWord(String sql, String name) {
    assertThat(SqlText.read(sql).name()).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET autocommit=0",
        "SET NAMES utf8mb4",
        "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
        "SELECT @@session.tx_isolation",
        "/* mysql-connector-j-9.7.0 */SELECT  @@session.auto_increment_increment AS a",
        "SELECT DATABASE()",
        "SELECT 1",
        "SHOW VARIABLES LIKE 'x'",
        "START TRANSACTION",
        "BEGIN;",
        "USE shop"
      })
  void housekeeping(String sql) {
    assertThat(SqlText.read(sql).housekeeping()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1 FROM t",
        "SELECT GET_LOCK('a', 1)",
        "SELECT * FROM coupon WHERE id = 1 FOR UPDATE",
        "SET GLOBAL read_only = 1",
        "SET @a = (SELECT 1 FROM t)",
        "SET autocommit=0; DELETE FROM t",
        "START TRANSACTION WITH CONSISTENT SNAPSHOT",
        "COMMIT",
        "ROLLBACK",
        "INSERT INTO t VALUES (1)",
        "CALL p()"
      })
  void commands(String sql) {
    assertThat(SqlText.read(sql).housekeeping()).isFalse();
  }

  /** With a transaction open these commit it. */
  @ParameterizedTest
  @ValueSource(strings = {"SET autocommit=1", "set session autocommit = ON", "BEGIN"})
  void housekeepingOnlyWithoutATransaction(String sql) {
    assertThat(SqlText.read(sql).endsTransaction()).isTrue();
  }

  @Test
  void placeholdersAreCountedOutsideQuotesAndComments() {
    assertThat(SqlText.placeholders("a ? '?''?' \"?\\\"?\" `?` /* ? */ ? -- ?\n ? # ?"))
        .isEqualTo(3);
  }
}
