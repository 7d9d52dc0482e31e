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

import io.stockproof.verification.rules.Histories.CallSpec;
import org.junit.jupiter.api.Test;

final class AnswerRulesTest {

  @Test
  void R301_holds_if_the_row_was_there_when_told() {
    holds(stock(1).told("A", 1, 5, ISSUED).books(0, rows()).books(4, rows("A")).judge(Rule.R301));
    holds(stock(1).call(new CallSpec("A", 1, 5, ISSUED).rowAtEnd(true)).judge(Rule.R301));
  }

  @Test
  void R301_is_broken_if_the_row_came_after_the_answer() {
    isBroken(
        stock(1).told("A", 1, 5, ISSUED).books(0, rows()).books(6, rows("A")).judge(Rule.R301),
        "no row yet");
    isBroken(
        stock(1)
            .call(new CallSpec("A", 1, 5, ISSUED).rowAtEnd(false))
            .atRest(rows("A"))
            .judge(Rule.R301),
        "no row yet");
  }

  @Test
  void R301_is_not_reached_if_nobody_looked() {
    isNotReached(stock(1).told("A", 1, 5, ISSUED).atRest(rows("A")).judge(Rule.R301));
    isNotReached(stock(1).told("A", 1, 5, SOLD_OUT).atRest(rows()).judge(Rule.R301));
  }

  @Test
  void R302_holds_if_the_refused_have_no_row() {
    holds(
        stock(1)
            .told("A", 1, 5, ISSUED)
            .told("B", 1, 5, SOLD_OUT)
            .atRest(rows("A"))
            .judge(Rule.R302));
  }

  @Test
  void R302_is_broken_by_a_row_of_the_refused_at_rest() {
    isBroken(
        stock(1).told("A", 1, 5, UNAVAILABLE).atRest(rows("A")).judge(Rule.R302),
        "told UNAVAILABLE");
  }

  @Test
  void R302_is_broken_by_the_very_call_that_wrote() {
    isBroken(
        stock(1)
            .call(new CallSpec("A", 1, 5, UNAVAILABLE).wroteRow(true))
            .call(new CallSpec("A", 6, 9, UNKNOWN).wroteRow(false))
            .atRest(rows("A"))
            .judge(Rule.R302),
        "told UNAVAILABLE");
  }

  @Test
  void R302_is_not_reached_if_nobody_was_refused() {
    isNotReached(stock(1).told("A", 1, 5, ISSUED).atRest(rows("A")).judge(Rule.R302));
  }

  @Test
  void R303_holds_if_others_rows_and_reservations_make_up_the_total() {
    holds(
        stock(2)
            .told("C", 3, 6, SOLD_OUT)
            .books(0, rows().gate(2))
            .books(2, rows("A").gate(0, "A").reserved("B"))
            .books(9, rows("A").gate(1, "A"))
            .judge(Rule.R303));
  }

  @Test
  void R303_counts_gate_users_without_a_row_as_reservations() {
    holds(
        stock(1)
            .told("B", 3, 6, SOLD_OUT)
            .books(0, rows().gate(1))
            .books(4, rows().gate(0, "A"))
            .judge(Rule.R303));
  }

  @Test
  void R303_is_broken_if_the_callers_own_reservation_took_the_last_unit() {
    isBroken(
        stock(1)
            .told("A", 3, 6, SOLD_OUT)
            .books(0, rows().gate(1))
            .books(4, rows().gate(0, "A"))
            .judge(Rule.R303),
        "user A told SOLD_OUT with units left");
  }

  @Test
  void R303_is_broken_if_the_last_unit_went_after_the_answer() {
    isBroken(
        stock(1)
            .told("B", 1, 3, SOLD_OUT)
            .books(0, rows().gate(1))
            .books(4, rows("A").gate(0, "A"))
            .judge(Rule.R303),
        "user B");
  }

  @Test
  void R303_is_broken_in_stress_if_not_even_all_who_asked_make_up_the_total() {
    isBroken(
        stock(5)
            .sampled()
            .told("A", 1, 5, ISSUED)
            .told("B", 2, 6, SOLD_OUT)
            .atRest(rows("A").gate(4, "A"))
            .judge(Rule.R303),
        "user B");
  }

  @Test
  void R303_holds_in_stress_if_enough_were_told_ISSUED_before() {
    holds(
        stock(1)
            .sampled()
            .told("A", 1, 4, ISSUED)
            .told("B", 2, 6, SOLD_OUT)
            .atRest(rows("A"))
            .judge(Rule.R303));
  }

  @Test
  void R303_is_not_reached_where_stress_cannot_tell() {
    isNotReached(
        stock(1)
            .sampled()
            .told("A", 1, 7, ISSUED)
            .told("B", 2, 6, SOLD_OUT)
            .atRest(rows("A").gate(0, "A"))
            .judge(Rule.R303));
    isNotReached(stock(1).told("A", 1, 7, ISSUED).atRest(rows("A")).judge(Rule.R303));
  }

  @Test
  void R304_holds_if_the_user_held_a_row_by_the_end_of_the_call() {
    holds(
        stock(2).told("A", 3, 6, DUPLICATE).books(0, rows()).books(5, rows("A")).judge(Rule.R304));
    holds(stock(2).call(new CallSpec("A", 3, 6, DUPLICATE).rowAtEnd(true)).judge(Rule.R304));
  }

  @Test
  void R304_is_broken_if_the_row_came_later_or_never() {
    isBroken(
        stock(2).told("A", 3, 6, DUPLICATE).books(0, rows()).books(7, rows("A")).judge(Rule.R304),
        "without a row");
    isBroken(
        stock(2).sampled().told("A", 3, 6, DUPLICATE).atRest(rows()).judge(Rule.R304), "user A");
  }

  @Test
  void R304_is_not_reached_if_nobody_was_told_so_or_nobody_looked() {
    isNotReached(stock(2).told("A", 3, 6, ISSUED).atRest(rows("A")).judge(Rule.R304));
    isNotReached(stock(2).told("A", 3, 6, DUPLICATE).atRest(rows("A")).judge(Rule.R304));
  }

  @Test
  void R308_is_broken_if_the_loser_of_a_race_is_sent_away_though_units_remain() {
    isBroken(
        stock(2)
            .told("A", 1, 5, ISSUED)
            .told("B", 2, 6, SOLD_OUT)
            .books(0, rows())
            .books(4, rows("A"))
            .atRest(rows("A"))
            .judge(Rule.R308),
        "1 never sold");
  }

  @Test
  void R308_holds_if_all_was_sold_in_the_end_even_where_R303_fails() {
    Histories tooEarly =
        stock(1)
            .told("A", 1, 9, ISSUED)
            .told("B", 2, 6, SOLD_OUT)
            .books(0, rows())
            .books(8, rows("A"))
            .atRest(rows("A"));
    isBroken(tooEarly.judge(Rule.R303), "user B");
    holds(tooEarly.judge(Rule.R308));
  }

  @Test
  void R308_is_not_reached_without_calls_beside_one_another() {
    isNotReached(
        stock(2)
            .told("A", 1, 2, ISSUED)
            .told("B", 3, 6, SOLD_OUT)
            .books(0, rows())
            .atRest(rows("A"))
            .judge(Rule.R308));
  }
}
