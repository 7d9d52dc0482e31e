package io.stockproof.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.explore.SearchPlan;
import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class SubjectVerificationTest {

  private static final SubjectVerification.Effort LITTLE =
      new SubjectVerification.Effort(1, Duration.ofSeconds(1), Duration.ofSeconds(1));

  @Test
  void a_subject_that_never_started_shows_the_rules_that_apply_to_it_and_no_other()
      throws Exception {
    SubjectVerdict verdict =
        new SubjectVerification(Environments.shared(), LITTLE, 42, progress -> {})
            .verify(SubjectVerificationTest::neverStarts, ExpectedRules.none())
            .verdict();

    assertThat(verdict.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(verdict.reason()).contains("could not be started", "no such host");
    assertThat(verdict.rules())
        .extracting(Finding::rule)
        .contains(Rule.R101, Rule.R701)
        .doesNotContain(Rule.R104, Rule.R205);
    assertThat(verdict.rules())
        .allSatisfy(
            finding -> {
              assertThat(finding.reached()).isFalse();
              assertThat(finding.detail()).isEqualTo("no run was judged");
            });
  }

  @Test
  void starting_instances_is_not_counted_as_time_of_the_first_search() throws Exception {
    AtomicInteger started = new AtomicInteger();
    List<Integer> startedBeforePart = new ArrayList<>();
    Supplier<Subject> make =
        () ->
            Subject.jdbcAndRedis(
                "counts-its-starts",
                endpoints -> {
                  started.incrementAndGet();
                  return (couponId, userId) -> IssueOutcome.SOLD_OUT;
                });

    new SubjectVerification(
            Environments.shared(), LITTLE, 42, part -> startedBeforePart.add(started.get()))
        .firstViolation(make, Rule.R101);

    int most =
        SearchPlan.standard(Set.of(Capability.MULTI_INSTANCE)).stream()
            .mapToInt(plan -> plan.scenario().instances())
            .max()
            .orElseThrow();
    assertThat(startedBeforePart.get(0)).isGreaterThanOrEqualTo(most);
  }

  private static Subject neverStarts() {
    return Subject.jdbcAndRedis(
        "never-starts",
        endpoints -> {
          throw new IllegalStateException("no such host");
        });
  }
}
