package io.stockproof;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AuditTest {

  @Test
  void booksThatAgreeDifferInNothing() {
    Audit audit = new Audit(42, 10, 3, 3, 7, 3, 0);
    assertThat(audit.balanced()).isTrue();
    assertThat(audit.differences()).isEmpty();
  }

  @Test
  void eachDifferenceIsNamedWithItsNumbers() {
    Audit audit = new Audit(42, 2, 4, 3, 1, 2, 1);
    assertThat(audit.balanced()).isFalse();
    assertThat(audit.differences())
        .containsExactly(
            "rows 3 > total 2",
            "counter 4, rows 3",
            "gate stock 1, total - rows -1",
            "gate users 2, rows 3",
            "reservations open: 1");
  }

  @Test
  void missingGateIsOneDifference() {
    assertThat(new Audit(42, 2, 1, 1, -1, -1, -1).differences())
        .containsExactly("the gate is missing");
  }
}
