package io.stockproof;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefusalMemoryTest {

  private final AtomicLong clock = new AtomicLong();
  private final RefusalMemory memory = new RefusalMemory(Duration.ofSeconds(1), clock::get);

  @Test
  void G29_refusalIsForgottenAfterItsTime() {
    memory.remember(1, IssueOutcome.SOLD_OUT);
    clock.set(999_999_999);
    assertThat(memory.recall(1)).isEqualTo(IssueOutcome.SOLD_OUT);
    assertThat(memory.recall(2)).isNull();
    clock.set(1_000_000_000);
    assertThat(memory.recall(1)).isNull();
  }

  @Test
  void refusalIsForgottenWhenTold() {
    memory.remember(1, IssueOutcome.SOLD_OUT);
    memory.forget(1);
    assertThat(memory.recall(1)).isNull();
  }

  @Test
  void memoryIsBounded() {
    for (long coupon = 1; coupon <= 20_000; coupon++) {
      memory.remember(coupon, IssueOutcome.NOT_OPEN);
    }
    assertThat(memory.recall(20_000)).isNull();
    clock.set(2_000_000_000);
    memory.remember(20_000, IssueOutcome.NOT_OPEN);
    assertThat(memory.recall(20_000)).isEqualTo(IssueOutcome.NOT_OPEN);
  }
}
