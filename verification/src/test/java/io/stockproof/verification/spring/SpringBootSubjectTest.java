package io.stockproof.verification.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.GateKeys;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.environment.PooledEndpoints;
import io.stockproof.verification.explore.Exploration;
import io.stockproof.verification.explore.Explorer;
import io.stockproof.verification.explore.SearchSettings;
import io.stockproof.verification.rules.Rule;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The beans of an application, searched through contexts of their own. */
class SpringBootSubjectTest {

  private static final Environment ENVIRONMENT = Environments.shared();

  @BeforeEach
  void countFromNothing() {
    ShopApplication.STARTED.set(0);
    ShopApplication.CLOSED.set(0);
    ShopApplication.MOST_AT_ONCE.set(0);
  }

  @Test
  void anInstanceIsOneContextFromRunToRunAndClosedAtTheEnd() throws Exception {
    Exploration found =
        explore(
            Subject.springBoot(
                ShopApplication.class, context -> context.getBean(CouponService.class)::issue));

    assertThat(found.verdict()).isEqualTo(Verdict.PASS);
    assertThat(found.subject()).isEqualTo("shop-application");
    assertThat(found.exhaustive()).isTrue();
    assertThat(found.interleavings()).isGreaterThan(1);
    assertThat(ShopApplication.STARTED).hasValue(2);
    assertThat(ShopApplication.CLOSED).hasValue(2);
  }

  @Test
  void theSharedRedisConnectionOfEachContextDoesNotLimitTheSearch() throws Exception {
    Exploration found =
        explore(
            Subject.springBoot(
                    ShopApplication.class,
                    context -> context.getBean(CouponService.class)::issueByRedis)
                .withGate(GateKeys.of("coupon:%d:stock", "coupon:%d:users")));

    assertThat(found.rules())
        .filteredOn(result -> result.rule() == Rule.R101)
        .singleElement()
        .satisfies(result -> assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED))
        .satisfies(result -> assertThat(result.detail()).isEqualTo("2 rows > total 1"));
  }

  @Test
  void aContextWhoseIssuerIsNotThereIsClosed() throws Exception {
    try (Subject subject =
            Subject.springBoot(
                ShopApplication.class,
                context -> {
                  throw new NoSuchElementException("no such bean");
                });
        PooledEndpoints endpoints = ENVIRONMENT.endpoints(1)) {
      assertThatThrownBy(() -> subject.start(endpoints)).hasMessage("no such bean");
    }
    assertThat(ShopApplication.STARTED).hasValue(1);
    assertThat(ShopApplication.CLOSED).hasValue(1);
  }

  /**
   * At each start Spring Boot sets up the logging of the whole JVM, and at each end lets go of it:
   * two at once fail, by luck, with {@code CONSOLE_LOG_STRUCTURED_FORMAT_IS_UNDEFINED}.
   */
  @Test
  void contextsStartAndCloseOneAfterTheOther() throws Exception {
    int threads = 3;
    int each = 3;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (Subject subject =
            Subject.springBoot(
                ShopApplication.class, context -> context.getBean(CouponService.class)::issue);
        PooledEndpoints endpoints = ENVIRONMENT.endpoints(1)) {
      Callable<Void> startAndClose =
          () -> {
            for (int i = 0; i < each; i++) {
              subject.start(endpoints).close();
            }
            return null;
          };
      for (Future<Void> done : pool.invokeAll(Collections.nCopies(threads, startAndClose))) {
        assertThatCode(done::get).doesNotThrowAnyException();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(ShopApplication.CLOSED).hasValue(threads * each);
    assertThat(ShopApplication.MOST_AT_ONCE).hasValue(1);
  }

  @Test
  void whateverAnInstanceIsAskedItsIssuerIsAsked() throws Exception {
    List<String> asked = new ArrayList<>();
    try (Subject subject = Subject.springBoot(ShopApplication.class, c -> new Recording(asked));
        PooledEndpoints endpoints = ENVIRONMENT.endpoints(1);
        Subject.Instance instance = subject.start(endpoints)) {
      assertThat(instance.issue(7, "100")).isEqualTo(IssueOutcome.SOLD_OUT);
      instance.resolve();
      instance.reconcile(8);
      instance.rebuild(8);
      instance.open(9, 10);
    }
    assertThat(asked)
        .containsExactly(
            "issue 7 100", "resolve", "reconcile 8", "rebuild 8", "open 9 10", "close");
    assertThat(asked)
        .extracting(what -> what.split(" ", -1)[0])
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Subject.Instance.class.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .map(Method::getName)
                .toList());
  }

  /** Notes what it is asked. */
  private record Recording(List<String> asked) implements Subject.Instance {
    @Override
    public IssueOutcome issue(long couponId, String userId) {
      asked.add("issue " + couponId + " " + userId);
      return IssueOutcome.SOLD_OUT;
    }

    @Override
    public void resolve() {
      asked.add("resolve");
    }

    @Override
    public void reconcile(long couponId) {
      asked.add("reconcile " + couponId);
    }

    @Override
    public void rebuild(long couponId) {
      asked.add("rebuild " + couponId);
    }

    @Override
    public void open(long couponId, long total) {
      asked.add("open " + couponId + " " + total);
    }

    @Override
    public void close() {
      asked.add("close");
    }
  }

  static Exploration explore(Subject subject) throws Exception {
    try (subject;
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      return explorer.explore(
          Scenario.users(1, 2, 1, 2),
          SearchSettings.calm(Duration.ofSeconds(60)),
          Explorer.Observer.NONE);
    }
  }
}
