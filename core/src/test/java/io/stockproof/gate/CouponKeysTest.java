package io.stockproof.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;
import org.junit.jupiter.api.Test;

class CouponKeysTest {

  @Test
  void G20_allKeysOfACouponLieInOneSlot() {
    for (long coupon : new long[] {1, 42, Long.MAX_VALUE}) {
      assertThat(CouponKeys.ofRebuild(coupon))
          .hasSize(5)
          .startsWith(CouponKeys.of(coupon).toArray(String[]::new))
          .extracting(SlotHash::getSlot)
          .containsOnly(SlotHash.getSlot(Long.toString(coupon)));
    }
    assertThat(CouponKeys.of(42))
        .containsExactly(
            "coupon:{42}:stock", "coupon:{42}:users", "coupon:{42}:pending", "coupon:{42}:meta");
  }
}
