package io.stockproof.verification.rules;

import static io.stockproof.IssueOutcome.DUPLICATE;
import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.verification.rules.FindingAssert.holds;
import static io.stockproof.verification.rules.FindingAssert.isBroken;
import static io.stockproof.verification.rules.FindingAssert.isNotReached;
import static io.stockproof.verification.rules.Histories.rows;
import static io.stockproof.verification.rules.Histories.stock;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.rules.Histories.CallSpec;
import org.junit.jupiter.api.Test;

final class StoreRulesTest {

  private static Histories twoAskForOne() {
    return stock(1).told("A", 1, 5, ISSUED).told("B", 2, 6, SOLD_OUT);
  }

  @Test
  void R101_holds_while_rows_stay_within_the_total() {
    holds(twoAskForOne().books(0, rows()).books(4, rows("A")).judge(Rule.R101));
  }

  @Test
  void R101_is_broken_by_one_state_with_too_many_rows() {
    Finding finding =
        twoAskForOne()
            .books(0, rows())
            .books(4, rows("A"))
            .books(5, rows("A", "B"))
            .judge(Rule.R101);

    isBroken(finding, "2 rows > total 1");
    assertThat(finding.moment()).isEqualTo(5);
  }

  @Test
  void R101_is_broken_by_sampled_rows_too() {
    isBroken(twoAskForOne().sampled().books(5, rows("A", "B")).judge(Rule.R101), "2 rows");
  }

  @Test
  void R101_is_not_reached_without_rows_or_without_demand() {
    isNotReached(twoAskForOne().books(0, rows()).judge(Rule.R101));
    isNotReached(stock(2).told("A", 1, 2, ISSUED).atRest(rows("A")).judge(Rule.R101));
  }

  @Test
  void R102_holds_if_a_holder_asked_twice_and_has_one_row() {
    holds(
        stock(2)
            .told("A", 1, 3, ISSUED)
            .told("A", 2, 4, DUPLICATE)
            .atRest(rows("A"))
            .judge(Rule.R102));
  }

  @Test
  void R102_is_broken_by_two_rows_of_a_user() {
    isBroken(
        stock(2)
            .told("A", 1, 3, ISSUED)
            .told("A", 2, 4, ISSUED)
            .atRest(rows("A", "A"))
            .judge(Rule.R102),
        "2 rows of user A");
  }

  @Test
  void R102_is_not_reached_if_nobody_with_a_row_asked_twice() {
    isNotReached(twoAskForOne().atRest(rows("A")).judge(Rule.R102));
  }

  @Test
  void R103_holds_if_the_counter_follows_the_rows() {
    holds(twoAskForOne().books(0, rows()).atRest(rows("A")).judge(Rule.R103));
  }

  @Test
  void R103_is_broken_by_one_committed_state_that_differs() {
    isBroken(
        twoAskForOne()
            .books(0, rows())
            .books(3, rows().counter(1))
            .atRest(rows("A"))
            .judge(Rule.R103),
        "counter 1, rows 0");
  }

  @Test
  void R103_is_not_reached_without_a_counter() {
    isNotReached(twoAskForOne().atRest(rows("A").counter(-1)).judge(Rule.R103));
  }

  @Test
  void R104_holds_if_the_gate_stock_ends_at_zero() {
    holds(twoAskForOne().books(0, rows().gate(1)).atRest(rows("A").gate(0, "A")).judge(Rule.R104));
  }

  @Test
  void R104_is_broken_by_a_negative_gate_stock() {
    isBroken(twoAskForOne().atRest(rows("A").gate(-1, "A")).judge(Rule.R104), "gate stock -1");
  }

  @Test
  void R104_is_not_reached_without_a_gate_or_above_zero() {
    isNotReached(twoAskForOne().atRest(rows("A")).judge(Rule.R104));
    isNotReached(twoAskForOne().atRest(rows().gate(1)).judge(Rule.R104));
  }

  @Test
  void R105_holds_if_two_coupons_sold_to_their_own_buyers() {
    holds(
        twoAskForOne()
            .call(new CallSpec("C", 1, 3, ISSUED).ofOtherCoupon())
            .atRest(rows("A"))
            .judge(Rule.R105));
  }

  @Test
  void R105_is_broken_by_a_row_of_a_buyer_of_the_other_coupon() {
    isBroken(
        twoAskForOne()
            .call(new CallSpec("C", 1, 3, ISSUED).ofOtherCoupon())
            .atRest(rows("C"))
            .judge(Rule.R105),
        "user C asked for another coupon only");
  }

  @Test
  void R105_is_broken_by_a_duplicate_across_coupons() {
    isBroken(
        stock(2)
            .told("A", 1, 3, DUPLICATE)
            .told("B", 1, 3, ISSUED)
            .call(new CallSpec("A", 1, 3, ISSUED).ofOtherCoupon())
            .atRest(rows("B"))
            .judge(Rule.R105),
        "duplicate of another coupon");
  }

  @Test
  void R105_is_not_reached_with_one_coupon() {
    isNotReached(twoAskForOne().atRest(rows("A")).judge(Rule.R105));
  }
}
