package io.stockproof.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerSchemaTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a;drop", "1a", "a.b.c", "a.", "`a`", "a-b"})
  void namesThatAreNotIdentifiersAreRefused(String name) {
    assertThatThrownBy(() -> LedgerSchema.defaults().withTables(name, "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("couponTable must be");
  }

  @Test
  void D22_updateChangesItsRowWheneverItMatches() {
    assertThat(new Statements(LedgerSchema.defaults()).count)
        .isEqualTo(
            "UPDATE coupon SET issued = issued + 1"
                + " WHERE id = ? AND status = 'ACTIVE' AND issued < total AND epoch = ?");
  }

  @Test
  void D18_D24_noInsertIgnoresAndEveryLockIsByPrimaryKey() {
    Statements sql = new Statements(LedgerSchema.defaults().withTables("app.c", "app.i"));
    assertThat(sql.insert)
        .isEqualTo("INSERT INTO app.i (coupon_id, user_id, token) VALUES (?, ?, ?)");
    assertThat(sql.lock).isEqualTo("SELECT id FROM app.c WHERE id = ? FOR UPDATE");
  }
}
