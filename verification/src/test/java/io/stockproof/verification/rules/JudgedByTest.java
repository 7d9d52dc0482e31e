package io.stockproof.verification.rules;

import static io.stockproof.IssueOutcome.DUPLICATE;
import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.NOT_OPEN;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.IssueOutcome.UNAVAILABLE;
import static io.stockproof.verification.rules.FindingAssert.holds;
import static io.stockproof.verification.rules.FindingAssert.isBroken;
import static io.stockproof.verification.rules.Histories.rows;
import static io.stockproof.verification.rules.Histories.sends;
import static io.stockproof.verification.rules.Histories.stock;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Scenario.Window;
import io.stockproof.verification.history.Wire.Kind;
import io.stockproof.verification.rules.Histories.CallSpec;
import org.junit.jupiter.api.Test;

/** A pass tells how much it was judged by, and a break how much is broken: readers weigh both. */
final class JudgedByTest {

  private static void holdsBy(Finding finding, String judgedBy) {
    holds(finding);
    assertThat(finding.detail()).isEqualTo(judgedBy);
  }

  private static Histories sold() {
    return stock(1)
        .told("A", 1, 5, ISSUED)
        .told("B", 2, 6, SOLD_OUT)
        .books(0, rows())
        .books(4, rows("A"))
        .atRest(rows("A"));
  }

  @Test
  void states_of_an_explored_run_and_samples_are_told_apart() {
    holdsBy(sold().judge(Rule.R101), "3 states");
    holdsBy(
        stock(1)
            .sampled()
            .told("A", 1, 5, ISSUED)
            .told("B", 2, 6, SOLD_OUT)
            .books(4, rows("A"))
            .atRest(rows("A"))
            .judge(Rule.R101),
        "2 sampled states");
  }

  @Test
  void answers_are_counted_as_far_as_they_could_be_judged() {
    holdsBy(sold().judge(Rule.R303), "1 of 1 answers judged");
    holdsBy(sold().judge(Rule.R308), "1 answers judged");
    holdsBy(
        stock(2)
            .call(new CallSpec("A", 1, 5, ISSUED).rowAtEnd(true))
            .told("B", 1, 5, ISSUED)
            .judge(Rule.R301),
        "1 of 2 answers judged");
  }

  @Test
  void an_answer_that_was_wrong_more_than_once_says_how_often() {
    Histories once = stock(1).told("A", 1, 5, ISSUED).books(0, rows());

    assertThat(once.judge(Rule.R301).detail()).endsWith("no row yet");
    isBroken(
        once.told("B", 1, 5, ISSUED).judge(Rule.R301), "user A told ISSUED, no row yet (2 times)");
  }

  @Test
  void calls_users_and_holders_are_counted() {
    holdsBy(sold().judge(Rule.R306), "2 calls ended");
    holdsBy(
        stock(1).told("A", 1, 3, UNAVAILABLE).atRest(rows()).judge(Rule.R305),
        "1 users told UNAVAILABLE");
    holdsBy(
        sold().again("A", 7, 8, DUPLICATE).afterProbes(rows("A")).judge(Rule.R307),
        "1 holders asked again");
    holdsBy(
        stock(1).when(Window.OVER).told("A", 1, 3, NOT_OPEN).judge(Rule.R601),
        "1 calls told NOT_OPEN");
  }

  @Test
  void refusals_and_transactions_are_counted() {
    holdsBy(sold().sent(sends(1, 3, Kind.REDIS)).judge(Rule.R401), "1 of 1 refusals");
    holdsBy(
        sold().sent(sends(0, 3, Kind.WRITE).withinTransaction()).judge(Rule.R403),
        "1 transactions");
  }

  @Test
  void compensations_and_units_left_are_counted() {
    holdsBy(
        stock(2)
            .told("A", 1, 9, UNAVAILABLE)
            .books(0, rows().gate(2))
            .books(2, rows().gate(1, "A"))
            .atRest(rows().gate(2))
            .afterProbes(rows().gate(2))
            .judge(Rule.R204),
        "1 compensations seen");
    isBroken(
        stock(2)
            .told("A", 1, 3, ISSUED)
            .told("B", 1, 3, UNAVAILABLE)
            .atRest(rows("A"))
            .judge(Rule.R206),
        "1 unit left, 2 users asked");
  }
}
