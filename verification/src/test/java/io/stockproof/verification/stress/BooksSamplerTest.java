package io.stockproof.verification.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.environment.PooledEndpoints;
import io.stockproof.verification.subjects.Subjects;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class BooksSamplerTest {
  private static final Environment ENVIRONMENT = Environments.shared();
  private static final long COUPON = 7_300_001;
  private static final int USERS = 20;

  /** A look at a sold coupon keeps 20 rows and 20 users of the gate, the first one nobody. */
  @Test
  void keepsNoMoreThanItMayHoweverLongItLooks() throws Exception {
    long most = 10 * 2 * USERS;
    BooksSampler.Pace pace = new BooksSampler.Pace(Duration.ofMillis(1), 40, most);

    List<BooksSampler.Sample> kept = sampled(pace);

    assertThat(kept).hasSizeBetween(3, 1 + 10);
    assertThat(kept).extracting(BooksSampler.Sample::nanos).isSorted();
    assertThat(kept.get(0).books().state().rows()).isZero();
    assertThat(kept.get(kept.size() - 1).books().state().rows()).isEqualTo(USERS);
  }

  @Test
  void keepsEveryLookWhereThereIsRoom() throws Exception {
    assertThat(sampled(new BooksSampler.Pace(Duration.ofMillis(1), 100))).hasSize(101);
  }

  /** Looks until there is no look left, while and after all is sold. */
  private static List<BooksSampler.Sample> sampled(BooksSampler.Pace pace) throws Exception {
    AtomicLong clock = new AtomicLong();
    try (Subject subject = Subjects.inService("lua-gate").orElseThrow().get();
        PooledEndpoints endpoints = ENVIRONMENT.endpoints(2)) {
      subject.reset(ENVIRONMENT, Scenario.users(COUPON, USERS, USERS, 1));
      try (Subject.Instance instance = subject.start(endpoints);
          BooksSampler sampler = new BooksSampler(ENVIRONMENT, subject, COUPON, clock, pace)) {
        for (int user = 0; user < USERS; user++) {
          instance.issue(COUPON, Integer.toString(100 + user));
        }
        sampler.start();
        await().atMost(Duration.ofSeconds(60)).until(() -> clock.get() == 1L + pace.most());
        return sampler.samples();
      }
    }
  }
}
