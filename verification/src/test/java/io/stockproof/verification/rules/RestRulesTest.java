package io.stockproof.verification.rules;

import static io.stockproof.IssueOutcome.DUPLICATE;
import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.IssueOutcome.UNAVAILABLE;
import static io.stockproof.IssueOutcome.UNKNOWN;
import static io.stockproof.verification.rules.FindingAssert.holds;
import static io.stockproof.verification.rules.FindingAssert.isBroken;
import static io.stockproof.verification.rules.FindingAssert.isNotReached;
import static io.stockproof.verification.rules.FindingAssert.isUndecided;
import static io.stockproof.verification.rules.Histories.rows;
import static io.stockproof.verification.rules.Histories.stock;

import io.stockproof.verification.history.Call;
import io.stockproof.verification.rules.Histories.CallSpec;
import org.junit.jupiter.api.Test;

final class RestRulesTest {

  @Test
  void R201_holds_if_each_row_was_told_ISSUED_or_UNKNOWN() {
    holds(
        stock(2)
            .told("A", 1, 3, ISSUED)
            .told("B", 1, 3, UNKNOWN)
            .atRest(rows("A", "B"))
            .judge(Rule.R201));
    holds(
        stock(2)
            .call(new CallSpec("A", 1, 3, null).wasCutOff())
            .atRest(rows("A"))
            .judge(Rule.R201));
  }

  @Test
  void R201_is_broken_by_ISSUED_without_a_row() {
    isBroken(
        stock(1).told("A", 1, 3, ISSUED).atRest(rows()).judge(Rule.R201), "told ISSUED 1 times");
  }

  @Test
  void R201_is_broken_by_two_ISSUED_of_one_row() {
    isBroken(
        stock(2).told("A", 1, 3, ISSUED).told("A", 2, 4, ISSUED).atRest(rows("A")).judge(Rule.R201),
        "told ISSUED 2 times, rows 1");
  }

  @Test
  void R201_is_broken_by_a_row_of_one_who_was_only_refused() {
    isBroken(stock(1).told("A", 1, 3, SOLD_OUT).atRest(rows("A")).judge(Rule.R201), "only refused");
  }

  @Test
  void R201_is_broken_if_the_call_that_wrote_was_told_a_refusal() {
    isBroken(
        stock(1)
            .call(new CallSpec("A", 1, 3, DUPLICATE).wroteRow(true))
            .call(new CallSpec("A", 1, 3, UNKNOWN).wroteRow(false))
            .atRest(rows("A"))
            .judge(Rule.R201),
        "told DUPLICATE");
  }

  @Test
  void R201_is_broken_by_a_probe_too() {
    isBroken(
        stock(2)
            .told("A", 1, 3, ISSUED)
            .atRest(rows("A"))
            .fresh("C", 5, 6, ISSUED)
            .afterProbes(rows("A"))
            .judge(Rule.R201),
        "user C told ISSUED");
  }

  @Test
  void R201_is_undecided_without_rest_and_not_reached_without_rows() {
    isUndecided(stock(1).told("A", 1, 3, ISSUED).judge(Rule.R201));
    isNotReached(stock(1).told("A", 1, 3, UNAVAILABLE).atRest(rows()).judge(Rule.R201));
  }

  @Test
  void R202_holds_if_fresh_users_get_the_rest() {
    holds(
        stock(2)
            .told("A", 1, 3, ISSUED)
            .atRest(rows("A"))
            .fresh("C", 5, 6, ISSUED)
            .fresh("D", 7, 8, SOLD_OUT)
            .afterProbes(rows("A", "C"))
            .judge(Rule.R202));
  }

  @Test
  void R202_is_broken_if_a_unit_is_neither_a_row_nor_to_be_had() {
    isBroken(
        stock(2)
            .told("A", 1, 3, ISSUED)
            .atRest(rows("A"))
            .fresh("C", 5, 6, SOLD_OUT)
            .afterProbes(rows("A"))
            .judge(Rule.R202),
        "1 unit nobody has");
  }

  @Test
  void R202_is_not_reached_if_too_few_asked() {
    isNotReached(stock(3).told("A", 1, 3, ISSUED).atRest(rows("A")).judge(Rule.R202));
    isNotReached(
        stock(3)
            .told("A", 1, 3, ISSUED)
            .atRest(rows("A"))
            .fresh("C", 5, 6, ISSUED)
            .afterProbes(rows("A", "C"))
            .judge(Rule.R202));
  }

  @Test
  void R203_holds_if_gate_and_rows_agree() {
    holds(stock(2).told("A", 1, 3, ISSUED).atRest(rows("A").gate(1, "A")).judge(Rule.R203));
  }

  @Test
  void R203_is_broken_by_stock_by_users_and_by_open_reservations() {
    Histories sale = stock(2).told("A", 1, 3, ISSUED);
    isBroken(sale.atRest(rows("A").gate(0, "A")).judge(Rule.R203), "gate stock 0");
    isBroken(sale.atRest(rows("A").gate(1, "B")).judge(Rule.R203), "gate users");
    isBroken(sale.atRest(rows("A").gate(1, "A").reserved("B")).judge(Rule.R203), "1 reservations");
    isBroken(
        sale.books(0, rows().gate(2)).atRest(rows("A")).judge(Rule.R203), "gate stock missing");
  }

  @Test
  void R203_is_not_reached_without_a_gate_and_undecided_without_rest() {
    isNotReached(stock(2).told("A", 1, 3, ISSUED).atRest(rows("A")).judge(Rule.R203));
    isUndecided(stock(2).told("A", 1, 3, ISSUED).books(0, rows().gate(2)).judge(Rule.R203));
  }

  private static Histories compensated() {
    return stock(2)
        .told("A", 1, 9, UNAVAILABLE)
        .books(0, rows().gate(2))
        .books(2, rows().gate(1, "A"))
        .books(4, rows().gate(1));
  }

  @Test
  void R204_holds_if_the_unit_came_back_once() {
    holds(compensated().atRest(rows().gate(2)).judge(Rule.R204));
  }

  @Test
  void R204_is_broken_if_it_came_back_twice_or_never() {
    isBroken(compensated().atRest(rows().gate(3)).judge(Rule.R204), "gate stock 3");
    isBroken(compensated().atRest(rows().gate(1)).judge(Rule.R204), "gate stock 1");
  }

  private static Histories leftInTheGate(Histories sale) {
    return sale.call(new CallSpec("A", 1, 3, null).wasCutOff())
        .books(0, rows().gate(2))
        .books(2, rows().gate(1, "A"));
  }

  @Test
  void R204_counts_what_was_given_back_on_the_way_to_rest() {
    holds(leftInTheGate(stock(2).sampled()).atRest(rows().gate(2)).judge(Rule.R204));
    isBroken(
        leftInTheGate(stock(2).sampled()).atRest(rows().gate(3)).judge(Rule.R204), "gate stock 3");
    isBroken(
        leftInTheGate(stock(2))
            .atRest(rows().gate(1, "A"))
            .afterProbes(rows().gate(3))
            .judge(Rule.R204),
        "gate stock 3");
  }

  @Test
  void R204_is_not_reached_if_nothing_was_given_back() {
    isNotReached(
        stock(2)
            .told("A", 1, 9, ISSUED)
            .books(0, rows().gate(2))
            .atRest(rows("A").gate(1, "A"))
            .judge(Rule.R204));
  }

  @Test
  void R206_holds_if_one_attempt_each_sells_all() {
    holds(
        stock(1)
            .told("A", 1, 3, ISSUED)
            .told("B", 2, 4, SOLD_OUT)
            .atRest(rows("A"))
            .judge(Rule.R206));
  }

  @Test
  void R206_is_broken_if_units_are_left() {
    isBroken(
        stock(1)
            .told("A", 1, 3, UNAVAILABLE)
            .told("B", 2, 4, UNAVAILABLE)
            .atRest(rows())
            .judge(Rule.R206),
        "1 unit left");
  }

  @Test
  void R206_holds_if_whoever_got_nothing_was_told_UNAVAILABLE_while_the_stores_were_made_right() {
    Histories beside =
        stock(1)
            .told("A", 1, 3, UNAVAILABLE)
            .told("B", 5, 6, SOLD_OUT)
            .call(new Histories.CallSpec("rebuild", 2, 4, null).phase(Call.Phase.RECOVERS))
            .atRest(rows());
    holds(beside.judge(Rule.R206));

    Histories later =
        stock(1)
            .told("A", 1, 3, SOLD_OUT)
            .told("B", 5, 6, UNAVAILABLE)
            .call(new Histories.CallSpec("rebuild", 2, 4, null).phase(Call.Phase.RECOVERS))
            .atRest(rows());
    isBroken(later.judge(Rule.R206), "1 unit left");
  }

  @Test
  void R206_is_not_reached_with_repeats_or_too_little_demand() {
    isNotReached(stock(2).told("A", 1, 3, ISSUED).atRest(rows("A")).judge(Rule.R206));
    isNotReached(
        stock(1)
            .told("A", 1, 3, ISSUED)
            .told("A", 2, 4, DUPLICATE)
            .atRest(rows("A"))
            .judge(Rule.R206));
  }
}
