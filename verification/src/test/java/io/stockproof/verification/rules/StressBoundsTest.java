package io.stockproof.verification.rules;

import static io.stockproof.IssueOutcome.DUPLICATE;
import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.IssueOutcome.UNKNOWN;
import static io.stockproof.verification.rules.FindingAssert.holds;
import static io.stockproof.verification.rules.FindingAssert.isBroken;
import static io.stockproof.verification.rules.FindingAssert.isNotReached;
import static io.stockproof.verification.rules.Histories.rows;
import static io.stockproof.verification.rules.Histories.stock;

import org.junit.jupiter.api.Test;

/** What stress says of a SOLD_OUT: at least how many units were taken by then, and at most. */
final class StressBoundsTest {

  private static Histories stress(long total) {
    return stock(total).sampled();
  }

  @Test
  void rows_seen_by_then_are_taken() {
    Histories sale = stress(1).told("A", 1, 9, ISSUED).told("B", 2, 6, SOLD_OUT);

    holds(sale.books(6, rows("A")).atRest(rows("A")).judge(Rule.R303));
  }

  @Test
  void rows_seen_later_may_have_been_taken_later() {
    Histories sale = stress(1).told("A", 1, 9, ISSUED).told("B", 2, 6, SOLD_OUT);

    isNotReached(sale.books(7, rows("A")).atRest(rows("A")).judge(Rule.R303));
  }

  @Test
  void answers_of_the_same_moment_count() {
    holds(
        stress(2)
            .told("A", 1, 4, ISSUED)
            .told("B", 1, 4, ISSUED)
            .told("C", 2, 4, SOLD_OUT)
            .atRest(rows("A", "B"))
            .judge(Rule.R303));
  }

  @Test
  void an_ISSUED_without_a_row_takes_nothing() {
    isBroken(
        stress(1).told("A", 1, 3, ISSUED).told("B", 4, 6, SOLD_OUT).atRest(rows()).judge(Rule.R303),
        "user B");
  }

  @Test
  void who_asked_for_a_unit_through_a_gate_may_have_kept_one_but_not_from_themselves() {
    Histories two = stress(2).told("A", 1, 5, ISSUED).told("B", 2, 6, SOLD_OUT);
    Histories three =
        stress(2).told("A", 1, 5, ISSUED).told("B", 2, 6, SOLD_OUT).told("C", 3, 7, UNKNOWN);

    isBroken(two.atRest(rows("A").gate(1, "A")).judge(Rule.R303), "user B");
    isNotReached(three.atRest(rows("A").gate(1, "A")).judge(Rule.R303));
    isNotReached(three.judge(Rule.R308));
  }

  @Test
  void who_asked_twice_may_have_kept_one_unit_only() {
    isBroken(
        stress(2)
            .told("A", 1, 5, ISSUED)
            .told("A", 2, 6, DUPLICATE)
            .told("B", 3, 7, SOLD_OUT)
            .atRest(rows("A").gate(1, "A"))
            .judge(Rule.R303),
        "user B");
  }

  @Test
  void rows_of_those_who_asked_are_counted_once() {
    isBroken(
        stress(2)
            .told("A", 1, 5, ISSUED)
            .told("B", 2, 6, SOLD_OUT)
            .atRest(rows("A"))
            .judge(Rule.R303),
        "user B");
  }

  @Test
  void rows_of_those_who_never_asked_may_have_been_there() {
    isNotReached(stress(1).told("B", 2, 6, SOLD_OUT).atRest(rows("S")).judge(Rule.R303));
    isBroken(stress(2).told("B", 2, 6, SOLD_OUT).atRest(rows("S")).judge(Rule.R303), "user B");
  }

  private static Histories rest(long total) {
    return stress(total).told("A", 1, 5, ISSUED).atRest(rows("A"));
  }

  @Test
  void at_rest_it_is_known_what_was_taken_before_the_probes() {
    holds(rest(1).fresh("C", 7, 8, SOLD_OUT).afterProbes(rows("A")).judge(Rule.R303));
    isBroken(rest(2).fresh("C", 7, 8, SOLD_OUT).afterProbes(rows("A")).judge(Rule.R303), "user C");
    isNotReached(rest(2).fresh("C", 7, 8, SOLD_OUT).judge(Rule.R303));
  }

  @Test
  void a_row_from_before_the_probes_is_not_taken_by_asking_again() {
    isBroken(
        rest(2)
            .again("A", 6, 7, DUPLICATE)
            .fresh("C", 8, 9, SOLD_OUT)
            .afterProbes(rows("A"))
            .judge(Rule.R303),
        "user C");
  }

  private static Histories reservedAtRest(long total) {
    return stress(total).told("A", 1, 5, ISSUED).atRest(rows("A").gate(0, "A").reserved("B"));
  }

  @Test
  void a_reservation_open_at_rest_may_have_kept_a_unit_from_others() {
    isNotReached(
        reservedAtRest(2)
            .fresh("C", 7, 8, SOLD_OUT)
            .afterProbes(rows("A").gate(0, "A").reserved("B"))
            .judge(Rule.R303));
    isBroken(
        reservedAtRest(3)
            .fresh("C", 7, 8, SOLD_OUT)
            .afterProbes(rows("A").gate(0, "A").reserved("B"))
            .judge(Rule.R303),
        "user C");
  }

  @Test
  void a_reservation_open_at_rest_keeps_nothing_from_its_owner() {
    isBroken(
        reservedAtRest(2)
            .again("B", 7, 8, SOLD_OUT)
            .afterProbes(rows("A").gate(0, "A").reserved("B"))
            .judge(Rule.R303),
        "user B");
  }

  @Test
  void a_row_seen_by_the_end_of_a_call_was_held_then() {
    Histories call = stress(2).told("A", 3, 6, DUPLICATE);

    isNotReached(call.books(7, rows("A")).atRest(rows("A")).judge(Rule.R304));
    holds(
        stress(2)
            .told("A", 3, 6, DUPLICATE)
            .books(6, rows("A"))
            .atRest(rows("A"))
            .judge(Rule.R304));
  }
}
