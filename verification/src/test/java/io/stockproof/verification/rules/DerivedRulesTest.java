package io.stockproof.verification.rules;

import static io.stockproof.IssueOutcome.DUPLICATE;
import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.NOT_OPEN;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.IssueOutcome.UNAVAILABLE;
import static io.stockproof.verification.rules.FindingAssert.holds;
import static io.stockproof.verification.rules.FindingAssert.isBroken;
import static io.stockproof.verification.rules.FindingAssert.isNotReached;
import static io.stockproof.verification.rules.Histories.rows;
import static io.stockproof.verification.rules.Histories.stock;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Capability;
import io.stockproof.verification.Scenario.Window;
import io.stockproof.verification.history.BadInput;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.rules.Histories.CallSpec;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** R501, R502, R601 to R603 and R701. */
final class DerivedRulesTest {

  private static Histories sold() {
    return stock(1).told("A", 0, 3, ISSUED).books(0, rows()).books(2, rows("A")).atRest(rows("A"));
  }

  private static Histories oversold() {
    return stock(1)
        .told("A", 0, 3, ISSUED)
        .told("B", 0, 3, ISSUED)
        .books(0, rows())
        .books(2, rows("A", "B"))
        .atRest(rows("A", "B"));
  }

  private static Histories saidSoldOut() {
    return stock(1).told("A", 0, 3, SOLD_OUT).books(0, rows()).atRest(rows());
  }

  @Test
  void R501_repeats_the_rules_of_the_stores_where_a_fault_struck() {
    isNotReached(sold().judge(Rule.R501));
    holds(sold().faulted().judge(Rule.R501));
    isBroken(oversold().faulted().judge(Rule.R501), "R101 with a fault", 2);
  }

  @Test
  void R501_is_not_about_answers() {
    holds(sold().told("B", 0, 1, SOLD_OUT).faulted().judge(Rule.R501));
  }

  @Test
  void R502_repeats_oversell_undersell_and_sold_out_where_Redis_lost_data() {
    isNotReached(sold().judge(Rule.R502));
    isNotReached(sold().watched().faulted().judge(Rule.R502));
    holds(sold().lost(1, Set.of("k"), Set.of()).judge(Rule.R502));
    isBroken(oversold().lost(1, Set.of("k"), Set.of()).judge(Rule.R502), "R101 after Redis");
    isBroken(saidSoldOut().lost(1, Set.of("k"), Set.of()).judge(Rule.R502), "R303 after Redis");
  }

  @Test
  void a_rule_whose_others_were_not_reached_is_not_reached() {
    isNotReached(stock(1).faulted().judge(Rule.R501));
  }

  private static CallSpec opening(long end) {
    return new CallSpec("operator", 0, end, null).phase(Call.Phase.OPENS_AGAIN);
  }

  @Test
  void R602_repeats_the_rules_of_the_stores_where_the_coupon_was_opened_again() {
    isNotReached(sold().judge(Rule.R602));
    holds(sold().call(opening(2)).judge(Rule.R602));
    isBroken(oversold().call(opening(2)).judge(Rule.R602), "R101 after opening again");
  }

  @Test
  void R602_says_nothing_if_opening_again_failed() {
    isNotReached(sold().call(opening(2).threw("refused")).judge(Rule.R602));
    isNotReached(sold().call(opening(Call.NEVER)).judge(Rule.R602));
    isBroken(oversold().call(opening(2).threw("refused")).judge(Rule.R602), "R101");
  }

  @Test
  void an_operator_is_no_caller() {
    holds(sold().call(opening(2).threw("refused")).judge(Rule.R309));
    holds(sold().call(opening(Call.NEVER)).judge(Rule.R306));
  }

  @ParameterizedTest
  @EnumSource(value = Window.class, names = "OPEN", mode = EnumSource.Mode.EXCLUDE)
  void R601_outside_the_window_everybody_is_told_NOT_OPEN(Window window) {
    holds(stock(1).when(window).told("A", 0, 3, NOT_OPEN).books(0, rows()).judge(Rule.R601));
  }

  @ParameterizedTest
  @EnumSource(names = {"ISSUED", "SOLD_OUT", "DUPLICATE", "ACCEPTED"})
  void R601_is_broken_by_any_other_final_answer(io.stockproof.IssueOutcome told) {
    isBroken(
        stock(1).when(Window.NOT_YET).told("A", 0, 3, told).books(0, rows()).judge(Rule.R601),
        "user A told " + told + ", the coupon is not yet",
        3);
  }

  @Test
  void R601_is_broken_by_a_row() {
    isBroken(
        stock(1)
            .when(Window.CLOSED)
            .told("A", 0, 3, NOT_OPEN)
            .books(0, rows())
            .books(2, rows("A"))
            .judge(Rule.R601),
        "1 rows, the coupon is closed",
        2);
  }

  @Test
  void R601_is_not_reached_on_sale_or_if_nobody_was_answered() {
    isNotReached(sold().told("B", 0, 1, NOT_OPEN).judge(Rule.R601));
    isNotReached(stock(1).when(Window.OVER).told("A", 0, 3, UNAVAILABLE).judge(Rule.R601));
  }

  @Test
  void rules_of_a_sale_say_nothing_of_a_coupon_that_is_not_on_sale() {
    Histories closed =
        stock(2)
            .when(Window.CLOSED)
            .told("A", 0, 3, NOT_OPEN)
            .atRest(rows())
            .fresh("X", 4, 5, NOT_OPEN)
            .afterProbes(rows());

    isNotReached(closed.judge(Rule.R202));
    isNotReached(closed.judge(Rule.R206));
  }

  private static BadInput refused(String message) {
    return new BadInput("coupon id 0", "coupon", null, message, true, 0, false);
  }

  @Test
  void R603_holds_if_bad_input_is_refused_by_name_before_any_effect() {
    holds(stock(1).badInput(refused("Coupon id must be 1 or more")).judge(Rule.R603));
    isNotReached(stock(1).judge(Rule.R603));
  }

  @Test
  void R603_is_broken_by_an_answer_an_effect_or_a_message_that_names_nothing() {
    isBroken(stock(1).badInput(refused("no")).judge(Rule.R603), "does not name it");
    isBroken(
        stock(1)
            .badInput(new BadInput("null", "user", DUPLICATE, null, false, 0, false))
            .judge(Rule.R603),
        "null: told DUPLICATE");
    isBroken(
        stock(1)
            .badInput(new BadInput("null", "user", null, "boom", false, 0, false))
            .judge(Rule.R603),
        "threw boom");
    isBroken(
        stock(1)
            .badInput(new BadInput("null", "user", null, "user", true, 2, false))
            .judge(Rule.R603),
        "2 commands were sent");
    isBroken(
        stock(1)
            .badInput(new BadInput("null", "user", null, "user", true, 0, true))
            .judge(Rule.R603),
        "the stores have changed");
    isBroken(
        stock(1)
            .badInput(new BadInput("null", "user", null, null, true, 0, false))
            .judge(Rule.R603),
        "does not name it");
  }

  @Test
  void R701_repeats_every_MUST_rule_where_two_instances_were_asked() {
    isNotReached(oversold().judge(Rule.R701));
    isBroken(
        stock(1)
            .instances(2)
            .told("A", 0, 3, ISSUED)
            .told("B", 0, 3, ISSUED)
            .books(2, rows("A", "B"))
            .judge(Rule.R701),
        "R101 with 2 instances");
    holds(sold().instances(2).told("B", 3, 4, SOLD_OUT).judge(Rule.R701));
  }

  @Test
  void findings_come_in_the_order_of_their_ids_and_only_of_what_is_claimed() {
    List<Finding> all = Rules.judge(sold().build(), Set.of(Capability.values()));
    List<Finding> few = Rules.judge(sold().build(), Set.of());

    assertThat(all).extracting(Finding::rule).isSorted().containsAll(Rules.judged());
    assertThat(few)
        .extracting(Finding::rule)
        .contains(Rule.R101, Rule.R403)
        .doesNotContain(Rule.R104, Rule.R401, Rule.R501, Rule.R601, Rule.R701);
  }
}
