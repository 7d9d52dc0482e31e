package io.stockproof.verification.rules;

import static io.stockproof.IssueOutcome.DUPLICATE;
import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.IssueOutcome.UNAVAILABLE;
import static io.stockproof.IssueOutcome.UNKNOWN;
import static io.stockproof.verification.rules.FindingAssert.holds;
import static io.stockproof.verification.rules.FindingAssert.isBroken;
import static io.stockproof.verification.rules.FindingAssert.isNotReached;
import static io.stockproof.verification.rules.Histories.rows;
import static io.stockproof.verification.rules.Histories.stock;

import io.stockproof.verification.history.Call;
import io.stockproof.verification.rules.Histories.CallSpec;
import org.junit.jupiter.api.Test;

final class RetryAndEndingRulesTest {

  private static Histories unavailable() {
    return stock(1).told("A", 1, 3, UNAVAILABLE);
  }

  @Test
  void R305_holds_if_nothing_is_left_and_asking_again_gives_the_unit() {
    holds(
        unavailable()
            .atRest(rows().gate(1))
            .again("A", 5, 6, ISSUED)
            .afterProbes(rows("A").gate(0, "A"))
            .judge(Rule.R305));
  }

  @Test
  void R305_is_broken_by_a_row_a_membership_or_a_reservation() {
    isBroken(unavailable().atRest(rows("A")).judge(Rule.R305), "has a row");
    isBroken(unavailable().atRest(rows().gate(0, "A")).judge(Rule.R305), "still in the gate");
    isBroken(unavailable().atRest(rows().gate(0).reserved("A")).judge(Rule.R305), "reservation");
  }

  @Test
  void R305_is_broken_if_asking_again_at_rest_is_refused_though_a_unit_is_left() {
    isBroken(
        unavailable()
            .atRest(rows().gate(1))
            .again("A", 5, 6, DUPLICATE)
            .afterProbes(rows().gate(1))
            .judge(Rule.R305),
        "was told DUPLICATE");
  }

  @Test
  void R305_does_not_judge_a_user_whose_other_call_was_told_something_else() {
    isNotReached(
        unavailable().told("A", 1, 4, ISSUED).atRest(rows("A").gate(0, "A")).judge(Rule.R305));
  }

  @Test
  void R306_holds_if_all_calls_end() {
    holds(stock(1).told("A", 1, 3, ISSUED).judge(Rule.R306));
  }

  @Test
  void R306_is_broken_by_a_call_that_hangs() {
    isBroken(stock(1).call(new CallSpec("A", 1, Call.NEVER, null)).judge(Rule.R306), "did not end");
  }

  @Test
  void R306_is_broken_by_an_exception_where_only_a_refusal_could_follow() {
    isBroken(
        stock(2)
            .told("A", 1, 3, ISSUED)
            .call(new CallSpec("A", 4, 5, null).threw("SQLException: 1062"))
            .judge(Rule.R306),
        "threw SQLException");
    isBroken(
        stock(1)
            .told("A", 1, 3, ISSUED)
            .call(new CallSpec("B", 4, 5, null).threw("CouponExhausted"))
            .judge(Rule.R306),
        "threw CouponExhausted");
  }

  @Test
  void R306_an_answer_that_comes_as_a_call_begins_was_not_told_before_it() {
    holds(
        stock(2)
            .told("A", 1, 4, ISSUED)
            .call(new CallSpec("A", 4, 5, null).threw("SQLException: 1062"))
            .judge(Rule.R306));
  }

  /** Of equal moments a binary search finds any: as many answers may seem to come before. */
  @Test
  void R306_several_answers_that_come_as_a_call_begins_were_not_told_before_it() {
    holds(
        stock(1)
            .told("A", 1, 4, ISSUED)
            .told("B", 1, 4, ISSUED)
            .told("C", 2, 4, ISSUED)
            .call(new CallSpec("D", 4, 5, null).threw("boom"))
            .judge(Rule.R306));
  }

  @Test
  void R306_is_not_reached_if_every_call_was_cut_off() {
    isNotReached(stock(1).call(new CallSpec("A", 1, 3, null).wasCutOff()).judge(Rule.R306));
  }

  private static Histories holderAsksAgain(io.stockproof.IssueOutcome told) {
    return stock(2)
        .told("A", 1, 3, ISSUED)
        .books(0, rows())
        .books(2, rows("A"))
        .atRest(rows("A"))
        .again("A", 5, 6, told);
  }

  @Test
  void R307_holds_if_a_holder_is_told_DUPLICATE() {
    holds(holderAsksAgain(DUPLICATE).afterProbes(rows("A")).judge(Rule.R307));
  }

  @Test
  void R307_allows_SOLD_OUT_where_R303_does() {
    isBroken(holderAsksAgain(SOLD_OUT).afterProbes(rows("A")).judge(Rule.R307), "told SOLD_OUT");
    holds(
        stock(1)
            .told("A", 1, 3, ISSUED)
            .books(0, rows())
            .books(2, rows("A"))
            .atRest(rows("A"))
            .again("A", 5, 6, SOLD_OUT)
            .afterProbes(rows("A"))
            .judge(Rule.R307));
  }

  @Test
  void R307_is_broken_by_a_second_unit() {
    isBroken(holderAsksAgain(ISSUED).afterProbes(rows("A", "A")).judge(Rule.R307), "ISSUED again");
    isBroken(holderAsksAgain(UNKNOWN).afterProbes(rows("A", "A")).judge(Rule.R307), "2 rows now");
  }

  @Test
  void R307_is_not_reached_if_no_holder_asked_again() {
    isNotReached(stock(1).told("A", 1, 3, ISSUED).atRest(rows("A")).judge(Rule.R307));
  }

  @Test
  void R309_holds_in_calm_and_is_broken_by_UNKNOWN_or_an_exception() {
    holds(stock(1).told("A", 1, 3, ISSUED).judge(Rule.R309));
    isBroken(stock(1).told("A", 1, 3, UNKNOWN).judge(Rule.R309), "UNKNOWN");
    isBroken(
        stock(1).call(new CallSpec("A", 1, 3, null).threw("SQLException: 1213")).judge(Rule.R309),
        "1213");
  }

  @Test
  void R309_is_not_reached_with_faults() {
    isNotReached(stock(1).faulted().told("A", 1, 3, UNKNOWN).judge(Rule.R309));
  }

  private static Histories crashed() {
    return stock(1).faulted().call(new CallSpec("A", 1, 3, null).wasCutOff());
  }

  @Test
  void R503_holds_if_the_unit_of_a_crashed_call_can_be_had() {
    holds(
        crashed().atRest(rows()).fresh("C", 5, 6, ISSUED).afterProbes(rows("C")).judge(Rule.R503));
    holds(crashed().atRest(rows("A")).judge(Rule.R503));
  }

  @Test
  void R503_is_broken_by_a_lost_or_doubled_unit() {
    isBroken(
        crashed().atRest(rows()).fresh("C", 5, 6, SOLD_OUT).afterProbes(rows()).judge(Rule.R503),
        "1 unit nobody has");
    isBroken(
        crashed()
            .atRest(rows("A"))
            .fresh("C", 5, 6, ISSUED)
            .afterProbes(rows("A", "C"))
            .judge(Rule.R503),
        "given twice");
  }

  @Test
  void R503_is_not_reached_if_nothing_crashed() {
    isNotReached(stock(1).told("A", 1, 3, ISSUED).atRest(rows("A")).judge(Rule.R503));
  }

  @Test
  void R701_repeats_what_the_other_rules_say_of_several_instances() {
    Histories two = stock(1).instances(2).told("A", 1, 5, ISSUED).told("B", 2, 6, SOLD_OUT);
    holds(two.books(0, rows()).books(4, rows("A")).atRest(rows("A")).judge(Rule.R701));
    isBroken(two.books(7, rows("A", "B")).judge(Rule.R701), "R101");
    isNotReached(stock(1).told("A", 1, 5, ISSUED).atRest(rows("A")).judge(Rule.R701));
  }
}
