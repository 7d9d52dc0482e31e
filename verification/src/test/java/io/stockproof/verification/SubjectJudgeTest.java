package io.stockproof.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SubjectJudgeTest {
  private static final Finding R101_BROKEN = Finding.violated(Rule.R101, "2 rows > total 1");
  private static final Finding R101_HELD = Finding.pass(Rule.R101, "2 states");
  private static final Finding R304_UNREACHED = Finding.notReached(Rule.R304, "nobody told so");
  private static final ExpectedRules BASELINE =
      new ExpectedRules(Set.of(Rule.R102), Set.of(Rule.R101), Set.of(), Set.of(Rule.R101));

  private static SubjectVerdict judge(
      ExpectedRules expected, int instances, Set<Rule> required, Finding... findings) {
    SubjectJudge judge = new SubjectJudge(expected);
    judge.add(instances, false, List.of(findings));
    return judge.verdict(required, expected.shownByStress());
  }

  @Test
  void a_subject_passes_if_all_that_is_required_was_reached_and_held() {
    assertThat(judge(ExpectedRules.none(), 1, Set.of(Rule.R101), R101_HELD, R304_UNREACHED))
        .extracting(SubjectVerdict::verdict)
        .isEqualTo(Verdict.PASS);
  }

  @Test
  void a_required_rule_that_was_never_reached_is_no_pass() {
    SubjectVerdict verdict =
        judge(ExpectedRules.none(), 1, Set.of(Rule.R304), R101_HELD, R304_UNREACHED);

    assertThat(verdict.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(verdict.reason()).contains("never reached R304");
  }

  @Test
  void a_broken_rule_wins_over_everything() {
    assertThat(judge(ExpectedRules.none(), 1, Set.of(), R101_HELD, R101_BROKEN).verdict())
        .isEqualTo(Verdict.VIOLATED);
  }

  @Test
  void a_should_rule_is_shown_and_does_not_weigh() {
    Finding should = Finding.violated(Rule.R206, "1 unit left");

    SubjectVerdict verdict = judge(ExpectedRules.none(), 1, Set.of(), R101_HELD, should);

    assertThat(verdict.verdict()).isEqualTo(Verdict.PASS);
    assertThat(verdict.violations()).containsExactly(should);
  }

  @Test
  void a_baseline_is_as_expected_only_where_it_is_known_to_break() {
    assertThat(judge(BASELINE, 2, Set.of(), R101_BROKEN).verdict()).isEqualTo(Verdict.AS_EXPECTED);
    assertThat(judge(BASELINE, 1, Set.of(), R101_BROKEN).verdict()).isEqualTo(Verdict.VIOLATED);
  }

  @Test
  void a_baseline_that_does_not_show_what_it_must_is_inconclusive() {
    SubjectVerdict verdict = judge(BASELINE, 2, Set.of(), R101_HELD);

    assertThat(verdict.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(verdict.reason()).contains("did not show R101");
  }

  @Test
  void a_run_that_failed_is_no_pass() {
    SubjectJudge judge = new SubjectJudge(ExpectedRules.none());
    judge.addFailure("the database did not answer");

    assertThat(judge.verdict(Set.of(), Set.of()).verdict()).isEqualTo(Verdict.INCONCLUSIVE);
  }
}
