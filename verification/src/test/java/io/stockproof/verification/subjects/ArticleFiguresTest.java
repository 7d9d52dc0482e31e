package io.stockproof.verification.subjects;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.JdbcAndRedisSubject;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.WithoutDisk;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import io.stockproof.verification.stress.StressRun;
import io.stockproof.verification.stress.StressSettings;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The figures of the articles that are certain: rows are counted, never counters. */
@ExtendWith(WithoutDisk.class)
final class ArticleFiguresTest {
  private static final Environment ENVIRONMENT = Environments.shared();
  private static final AtomicLong COUPON = new AtomicLong(7_100_000);

  /** Threads and pool as published; deadlines that a busy machine keeps too. */
  private static final StressSettings AS_PUBLISHED =
      new StressSettings(50, 10, Duration.ofSeconds(60), Duration.ofSeconds(120), 42);

  private static JdbcAndRedisSubject named(String name) {
    return Subjects.named(name).orElseThrow().make().get();
  }

  private static History sell(Subject made, Scenario scenario) throws Exception {
    try (Subject subject = made) {
      return StressRun.run(ENVIRONMENT, subject, List.of(scenario), AS_PUBLISHED).get(0);
    }
  }

  private static Scenario users(int users, long total) {
    return Scenario.users(COUPON.incrementAndGet(), users, total, 1);
  }

  private static long rows(History history) {
    return Objects.requireNonNull(history.atRest()).rows();
  }

  private static long issued(History history) {
    return history.calls(Call.Phase.SALE).stream()
        .filter(call -> call.outcome() == IssueOutcome.ISSUED)
        .count();
  }

  @Test
  void article001_300_users_on_stock_50_without_control_oversell_and_the_counter_lies()
      throws Exception {
    History history = sell(named("no-control"), users(300, 50));

    assertThat(rows(history)).isGreaterThan(50);
    assertThat(Objects.requireNonNull(history.atRest()).counter()).isLessThan(rows(history));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pessimistic", "atomic-update"})
  void article001_300_users_on_stock_50_get_exactly_50(String name) throws Exception {
    assertThat(rows(sell(named(name), users(300, 50)))).isEqualTo(50);
  }

  @Test
  void article001_300_users_on_stock_50_get_exactly_50_with_30_retries() throws Exception {
    JdbcAndRedisSubject optimistic = Subjects.optimistic(RetrySettings.asPublished());

    assertThat(rows(sell(optimistic, users(300, 50)))).isEqualTo(50);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pessimistic", "atomic-update-tx", "lua-gate", "stockproof"})
  void article000_1000_requests_on_50_threads_for_stock_100_issue_100(String name)
      throws Exception {
    History history = sell(named(name), users(1000, 100));

    assertThat(issued(history)).isEqualTo(100);
    assertThat(rows(history)).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pessimistic+unique",
        "setnx-lock+unique",
        "atomic-update-tx",
        "lua-gate",
        "stockproof"
      })
  void article000_one_user_100_times_gets_1(String name) throws Exception {
    History history = sell(named(name), Scenario.sameUser(COUPON.incrementAndGet(), 100, 100, 1));

    assertThat(issued(history)).isEqualTo(1);
    assertThat(rows(history)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"redisson-lock", "setnx-lock", "setnx-lock-fenced"})
  void article004_with_a_bounded_wait_nobody_is_sent_away(String name) throws Exception {
    LockSettings waiting =
        LockSettings.failFast(Duration.ofMinutes(1)).waiting(Duration.ofSeconds(50));
    JdbcAndRedisSubject subject =
        switch (name) {
          case "redisson-lock" -> Subjects.redissonLock(waiting);
          case "setnx-lock" -> Subjects.setnxLock(waiting);
          default -> Subjects.setnxLockFenced(waiting);
        };
    History history = sell(subject, users(60, 60));

    assertThat(history.calls(Call.Phase.SALE))
        .allSatisfy(call -> assertThat(call.outcome()).isEqualTo(IssueOutcome.ISSUED));
    assertThat(rows(history)).isEqualTo(60);
  }
}
