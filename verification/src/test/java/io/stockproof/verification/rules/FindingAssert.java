package io.stockproof.verification.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Verdict;

/** The three answers of a rule. */
final class FindingAssert {
  private FindingAssert() {}

  static void holds(Finding finding) {
    assertThat(finding.verdict()).as(finding.toString()).isEqualTo(Verdict.PASS);
    assertThat(finding.reached()).isTrue();
  }

  static void isBroken(Finding finding, String detail) {
    assertThat(finding.verdict()).as(finding.toString()).isEqualTo(Verdict.VIOLATED);
    assertThat(finding.detail()).contains(detail);
  }

  static void isBroken(Finding finding, String detail, long moment) {
    isBroken(finding, detail);
    assertThat(finding.moment()).as(finding.toString()).isEqualTo(moment);
  }

  static void isUndecided(Finding finding) {
    assertThat(finding.verdict()).as(finding.toString()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(finding.reached()).isTrue();
  }

  static void isNotReached(Finding finding) {
    assertThat(finding.verdict()).as(finding.toString()).isEqualTo(Verdict.INCONCLUSIVE);
    assertThat(finding.reached()).isFalse();
  }
}
