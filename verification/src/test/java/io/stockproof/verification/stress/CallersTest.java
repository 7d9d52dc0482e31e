package io.stockproof.verification.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.history.Call;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class CallersTest {

  @Test
  void a_call_that_is_dropped_is_told_of_and_those_behind_it_are_never_made() throws Exception {
    AtomicInteger made = new AtomicInteger();
    CountDownLatch end = new CountDownLatch(1);
    Subject.Instance slow =
        (couponId, userId) -> {
          made.incrementAndGet();
          boolean unused = end.await(20, TimeUnit.SECONDS);
          return IssueOutcome.ISSUED;
        };
    try (Subject subject = Subject.jdbcAndRedis("slow", endpoints -> slow)) {
      Callers callers =
          new Callers(
              Environments.shared(),
              subject,
              List.of(slow),
              Duration.ofMinutes(1),
              new AtomicLong());
      List<PlannedCall> planned =
          Collections.nCopies(3, new PlannedCall(Call.Phase.SALE, 1, "user", 0));

      Callers.Made ended = callers.make(planned, 1, Duration.ofMillis(300));

      assertThat(ended.leftOpen()).isTrue();
      assertThat(ended.complete()).isFalse();
      assertThat(ended.timed()).isEmpty();
      end.countDown();
      assertThat(made).hasValueLessThanOrEqualTo(1);
    }
  }

  @Test
  void a_call_that_was_dropped_before_it_began_is_not_begun() {
    CallSlot slot =
        new CallSlot(0, new PlannedCall(Call.Phase.SALE, 1, "user", 0), System.nanoTime());
    slot.drop();

    assertThat(slot.started(1)).isFalse();
    assertThat(slot.leftOpen()).isFalse();
    assertThat(slot.toCall()).isNull();
  }
}
