package io.stockproof;

import static io.stockproof.IssuanceListener.Circuit.CLOSED;
import static io.stockproof.IssuanceListener.Circuit.HALF_OPEN;
import static io.stockproof.IssuanceListener.Circuit.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.IssuanceListener.Circuit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {

  private static final long PAUSE = 500;
  private static final long PROBE = 4000;

  private final AtomicLong clock = new AtomicLong();
  private final List<Circuit> changes = new ArrayList<>();
  private final CircuitBreaker breaker = breakingAfter(3);

  private CircuitBreaker breakingAfter(int failures) {
    return new CircuitBreaker(
        failures, Duration.ofNanos(PAUSE), Duration.ofNanos(PROBE), clock::get, changes::add);
  }

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      breaker.unanswered(breaker.ask());
    }
  }

  private boolean refuses() {
    return breaker.ask() == CircuitBreaker.REFUSED;
  }

  @Test
  void opensAfterFailuresInARowOnly() {
    fail(2);
    breaker.answered(breaker.ask());
    fail(2);
    assertThat(refuses()).isFalse();
    fail(1);
    assertThat(refuses()).isTrue();
    assertThat(changes).containsExactly(OPEN);
  }

  @Test
  void afterThePauseOneAsksForAllAndItsAnswerCloses() {
    fail(3);
    clock.set(PAUSE - 1);
    assertThat(refuses()).isTrue();
    clock.set(PAUSE);
    long probe = breaker.ask();
    assertThat(probe).isNotEqualTo(CircuitBreaker.REFUSED);
    assertThat(refuses()).as("while the probe is under way").isTrue();
    breaker.answered(probe);
    assertThat(refuses()).isFalse();
    assertThat(refuses()).isFalse();
    assertThat(changes).containsExactly(OPEN, HALF_OPEN, CLOSED);
  }

  @Test
  void failedProbeOpensForAnotherPause() {
    fail(3);
    clock.set(PAUSE);
    fail(1);
    clock.set(2 * PAUSE - 1);
    assertThat(refuses()).isTrue();
    clock.set(2 * PAUSE);
    assertThat(refuses()).isFalse();
    assertThat(changes).containsExactly(OPEN, HALF_OPEN, OPEN, HALF_OPEN);
  }

  @Test
  void probeThatNeverReportsIsFollowedByAnother() {
    fail(3);
    clock.set(PAUSE);
    assertThat(refuses()).isFalse();
    clock.set(PAUSE + PROBE - 1);
    assertThat(refuses()).isTrue();
    clock.set(PAUSE + PROBE);
    assertThat(refuses()).isFalse();
  }

  @Test
  void reportsOfRequestsFromBeforeAChangeCountNoMore() {
    long old = breaker.ask();
    fail(3);
    clock.set(PAUSE);
    long probe = breaker.ask();
    breaker.answered(old);
    assertThat(refuses()).as("an old answer is not the probe's").isTrue();
    breaker.answered(probe);
    for (int i = 0; i < 3; i++) {
      breaker.unanswered(old);
    }
    assertThat(refuses()).as("old failures do not open it again").isFalse();
  }

  @Test
  void withoutALimitItNeverOpens() {
    CircuitBreaker never = breakingAfter(0);
    for (int i = 0; i < 10_000; i++) {
      never.unanswered(never.ask());
    }
    assertThat(never.ask()).isNotEqualTo(CircuitBreaker.REFUSED);
    assertThat(changes).isEmpty();
  }
}
