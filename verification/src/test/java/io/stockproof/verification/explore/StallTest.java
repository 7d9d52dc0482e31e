package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What cannot be searched is never a pass. */
final class StallTest extends SearchesRealServers {

  private static final SearchSettings ONE_RUN = SearchSettings.calm(Duration.ofMillis(1));

  @Test
  void aCallThatWaitsForEverIsInconclusiveAndNamed() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    Subject waits =
        Homemade.afterThinking(
            "waits",
            userId -> {
              if (userId.equals("101")) {
                never.await();
              }
            });

    Exploration found = explore(waits, Scenario.users(1, 2, 2, 1), ONE_RUN);

    assertThat(found.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(found.exhaustive()).isFalse();
    assertThat(found.limits())
        .anySatisfy(
            limit ->
                assertThat(limit)
                    .contains("a run stalled: after step")
                    .contains("A (user 100) is done")
                    .contains("B (user 101) waits inside the JVM"));
  }

  @Test
  void L08_aMonitorAndARowLockTakenCrosswiseAreNamedAndNoPass() throws Exception {
    Exploration found =
        explore(
            Subject.jdbcAndRedis("monitor-and-row", endpoints -> crossed(endpoints.dataSource())),
            Scenario.users(1, 2, 2, 1),
            CALM.within(Duration.ofSeconds(4)));

    assertThat(found.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(found.exhaustive()).isFalse();
    assertThat(found.limits())
        .anySatisfy(
            limit ->
                assertThat(limit)
                    .contains("waits inside the JVM")
                    .contains("waits for a lock in UPDATE coupon"));
  }

  /** The first user takes the row, then the monitor; the second the monitor, then the row. */
  private static Subject.Instance crossed(DataSource dataSource) {
    ReentrantLock monitor = new ReentrantLock();
    return (couponId, userId) -> {
      boolean rowFirst = userId.equals("100");
      if (!rowFirst) {
        monitor.lock();
      }
      try (var tx = dataSource.getConnection()) {
        tx.setAutoCommit(false);
        if (Homemade.update(tx, Homemade.TAKE_COUPON, couponId) == 0) {
          tx.rollback();
          return IssueOutcome.SOLD_OUT;
        }
        if (rowFirst) {
          monitor.lock();
        }
        Homemade.update(tx, Homemade.ADD_ROW, couponId, userId);
        tx.commit();
        return IssueOutcome.ISSUED;
      } finally {
        if (monitor.isHeldByCurrentThread()) {
          monitor.unlock();
        }
      }
    };
  }

  @Test
  void aSubjectThatTouchesNoStoreIsInconclusive() throws Exception {
    Subject idle =
        Subject.jdbcAndRedis("idle", endpoints -> (couponId, userId) -> IssueOutcome.UNAVAILABLE);

    assertNothingWasSeen(explore(idle, Scenario.users(1, 2, 1, 1), CALM));
  }

  @Test
  void aSubjectThatGoesPastTheWiresIsInconclusive() throws Exception {
    Subject past =
        Subject.jdbcAndRedis(
            "past-the-wires",
            endpoints ->
                (couponId, userId) -> Homemade.issue(ENVIRONMENT.admin(), couponId, userId));

    assertNothingWasSeen(explore(past, Scenario.users(1, 2, 2, 1), CALM));
  }

  @Test
  void whereNothingIsSteeredChanceIsNotTriedForLong() throws Exception {
    Subject idle =
        Subject.jdbcAndRedis("idle", endpoints -> (couponId, userId) -> IssueOutcome.UNAVAILABLE);
    SearchSettings byChance =
        new SearchSettings(
            SearchSettings.Mode.RANDOM, Choices.NONE, 0, Duration.ofSeconds(60), 1, true);

    Exploration found = explore(idle, Scenario.users(1, 2, 1, 1), byChance);

    assertThat(found.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(found.commandsIntercepted()).isZero();
    assertThat(found.interleavings()).isEqualTo(10);
  }

  private static void assertNothingWasSeen(Exploration found) {
    assertThat(found.commandsIntercepted()).isZero();
    assertThat(found.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(found.exhaustive()).isFalse();
    assertThat(found.limits())
        .containsExactly("no command was seen on the wire: does the instance use its endpoints?");
  }

  @Test
  void aSubjectThatIsNotDeterministicIsNotedAndNotClaimedExhaustive() throws Exception {
    // Outlasts the calls of the first run and its probes, then stops in the second.
    assertNoted(fickle(8, dataSource -> {}));
  }

  @Test
  void aSubjectThatSendsOtherCommandsIsNotedAsWell() throws Exception {
    assertNoted(
        fickle(
            8,
            dataSource -> {
              try (var connection = dataSource.getConnection()) {
                Homemade.update(connection, "UPDATE coupon SET total = total WHERE id = 1");
              }
            }));
  }

  private static void assertNoted(Subject subject) throws Exception {
    Exploration found = explore(subject, Scenario.users(1, 2, 2, 2), CALM);

    assertThat(found.exhaustive()).isFalse();
    assertThat(found.limits())
        .anySatisfy(limit -> assertThat(limit).contains("the subject is not deterministic"));
  }

  /** Issues in its first calls, and does something else in all later ones. */
  private static Subject fickle(int calls, SomethingElse somethingElse) {
    AtomicInteger made = new AtomicInteger();
    return Subject.jdbcAndRedis(
        "fickle",
        endpoints ->
            (couponId, userId) -> {
              if (made.incrementAndGet() > calls) {
                somethingElse.happens(endpoints.dataSource());
                return IssueOutcome.UNAVAILABLE;
              }
              return Homemade.issue(endpoints.dataSource(), couponId, userId);
            });
  }

  private interface SomethingElse {
    void happens(DataSource dataSource) throws Exception;
  }

  @Test
  void aSearchWithoutTimeSaysSoAndClaimsNothing() throws Exception {
    Exploration found = explore(builtIn("no-control"), Scenario.users(1, 3, 1, 3), ONE_RUN);

    assertThat(found.exhaustive()).isFalse();
    assertThat(found.limits())
        .anySatisfy(limit -> assertThat(limit).contains("the budget of 0 s ran out"));
  }
}
