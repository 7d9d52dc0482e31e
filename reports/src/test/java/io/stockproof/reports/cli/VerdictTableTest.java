package io.stockproof.reports.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Capability;
import io.stockproof.verification.SubjectJudge;
import io.stockproof.verification.SubjectVerdict;
import io.stockproof.verification.SubjectVerification;
import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class VerdictTableTest {

  private final StringWriter out = new StringWriter();

  private void print(ExpectedRules expected, SubjectVerdict verdict) {
    new VerdictTable(new PrintWriter(out, true), new Terminal(false, false, 80))
        .print(
            "subject",
            Records.known(expected, 2, verdict),
            new SubjectVerification.Outcome(verdict, List.of()));
  }

  private String line(Rule rule) {
    return out.toString()
        .lines()
        .filter(line -> line.startsWith("  " + rule.id() + " "))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_rule_that_is_broken_where_it_is_not_known_to_be_is_not_called_expected() {
    ExpectedRules expected =
        new ExpectedRules(Set.of(Rule.R102), Set.of(Rule.R101), Set.of(), Set.of());
    SubjectJudge judge = new SubjectJudge(expected);
    judge.add(
        1,
        false,
        List.of(
            Finding.violated(Rule.R101, "2 rows > total 1"),
            Finding.violated(Rule.R102, "2 rows of a user")));

    print(expected, judge.verdict(Set.of(), Set.of()));

    assertThat(line(Rule.R101)).contains("VIOLATED").doesNotContain("(expected)");
    assertThat(line(Rule.R102)).contains("VIOLATED (expected)");
  }

  @Test
  void rules_that_nobody_asked_of_it_are_skipped_with_the_reason() {
    SubjectJudge judge = new SubjectJudge(ExpectedRules.none());
    judge.add(1, false, List.of(Finding.pass(Rule.R101, "8 states")));
    judge.add(1, false, Rules.unreached(Set.of(Capability.MULTI_INSTANCE)));

    print(ExpectedRules.none(), judge.verdict(Set.of(), Set.of()));

    assertThat(out.toString().replaceAll("\\s+", " "))
        .contains("held: R101 ", "not reached: R102 R103 R105 ", "R310 (needs a service over HTTP)")
        .contains("skipped: R104 R203 R204 R502 (GATE is not claimed)")
        .doesNotContain("MULTI_INSTANCE", "null");
  }
}
