package io.stockproof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CouponSpecTest {

  private static final Instant OPENS = Instant.parse("2026-12-01T00:00:00Z");
  private static final Instant CLOSES = Instant.parse("2026-12-02T00:00:00Z");

  @ParameterizedTest
  @ValueSource(longs = {0, -1, CouponSpec.MAX_TOTAL + 1})
  void T08_totalOutsideItsRangeIsRefused(long total) {
    assertThatThrownBy(() -> new CouponSpec(1, total, OPENS, CLOSES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("total must be 1 to 1000000000, was " + total);
  }

  @Test
  void T08_windowThatEndsBeforeItBeginsIsRefused() {
    assertThatThrownBy(() -> new CouponSpec(1, 1, CLOSES, OPENS))
        .hasMessage("opensAt must be before closesAt, was " + CLOSES + " and " + OPENS);
    assertThatThrownBy(() -> new CouponSpec(1, 1, OPENS, OPENS))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CouponSpec(1, 1, OPENS, OPENS.plusNanos(1)))
        .as("the same millisecond")
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void T08_windowOutsideTheYearsThatStoresKeepIsRefused() {
    assertThatThrownBy(() -> new CouponSpec(1, 1, Instant.MIN, CLOSES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1970");
    assertThatThrownBy(() -> new CouponSpec(1, 1, OPENS, Instant.MAX))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("9999");
  }

  @Test
  void T08_idBelowOneIsRefused() {
    assertThatThrownBy(() -> new CouponSpec(0, 1, OPENS, CLOSES))
        .hasMessage("coupon id must be 1 or more, was 0");
  }

  @Test
  void instantsAreCutToMilliseconds() {
    CouponSpec spec = new CouponSpec(1, 1, OPENS.plusNanos(1_999_999), CLOSES);
    assertThat(spec.opensAt()).isEqualTo(OPENS.plusMillis(1));
  }
}
