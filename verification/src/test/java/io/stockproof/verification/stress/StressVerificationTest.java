package io.stockproof.verification.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.SubjectVerdict;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.WithoutDisk;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.history.History;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import io.stockproof.verification.subjects.Subjects;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(WithoutDisk.class)
final class StressVerificationTest {

  private static final Environment ENVIRONMENT = Environments.shared();

  @ParameterizedTest
  @ValueSource(strings = {"no-control", "synchronized", "lua-gate"})
  void a_baseline_breaks_what_it_is_known_to_break(String name) throws Exception {
    SubjectVerdict verdict = verify(name);

    assertThat(verdict.verdict()).as(verdict.toString()).isEqualTo(Verdict.AS_EXPECTED);
    if (name.equals("lua-gate")) {
      assertThat(verdict.rules())
          .filteredOn(finding -> List.of(Rule.R101, Rule.R102).contains(finding.rule()))
          .extracting(Finding::verdict)
          .containsExactly(Verdict.PASS, Verdict.PASS);
    }
  }

  @Test
  void the_core_holds_in_calm() throws Exception {
    SubjectVerdict verdict = verify("stockproof");

    assertThat(verdict.verdict()).as(verdict.toString()).isEqualTo(Verdict.PASS);
  }

  @Test
  void rows_are_counted_not_counters() throws Exception {
    try (Subject subject = Subjects.named("no-control").orElseThrow().make().get()) {
      Scenario scenario = Scenario.users(7_000_001, 300, 50, 1);
      History history =
          StressRun.run(ENVIRONMENT, subject, List.of(scenario), StressSettings.defaults()).get(0);

      List<Finding> findings = Rules.judge(history, subject.capabilities());
      assertThat(findings)
          .filteredOn(finding -> finding.rule() == Rule.R101)
          .allSatisfy(finding -> assertThat(finding.detail()).contains("rows > total 50"));
    }
  }

  @Test
  void a_call_that_hangs_is_found_and_not_waited_for() throws Exception {
    Subject hangs =
        Subject.jdbcAndRedis(
            "hangs",
            endpoints ->
                (couponId, userId) -> {
                  Thread.sleep(Duration.ofMinutes(10).toMillis());
                  throw new IllegalStateException("woke up");
                });
    StressSettings settings =
        new StressSettings(4, 1, Duration.ofMillis(200), Duration.ofSeconds(20), 1);
    Scenario scenario = Scenario.users(7_000_002, 8, 4, 1);

    History history = StressRun.run(ENVIRONMENT, hangs, List.of(scenario), settings).get(0);

    assertThat(Rules.judge(history, hangs.capabilities()))
        .filteredOn(finding -> finding.rule() == Rule.R306)
        .extracting(Finding::verdict)
        .containsExactly(Verdict.VIOLATED);
  }

  private static SubjectVerdict verify(String name) throws Exception {
    Subjects.Entry entry = Subjects.named(name).orElseThrow();
    StressVerification verification =
        new StressVerification(
            ENVIRONMENT, StressSettings.defaults(), 1, Duration.ofSeconds(30), line -> {});
    try (Subject subject = entry.make().get()) {
      return verification.verify(subject, entry.expected());
    }
  }
}
