package io.stockproof.verification.rules;

import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.verification.rules.FindingAssert.holds;
import static io.stockproof.verification.rules.FindingAssert.isBroken;
import static io.stockproof.verification.rules.FindingAssert.isNotReached;
import static io.stockproof.verification.rules.Histories.rows;
import static io.stockproof.verification.rules.Histories.sends;
import static io.stockproof.verification.rules.Histories.stock;

import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.Wire.Fate;
import io.stockproof.verification.history.Wire.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** R401 to R403, from the commands of each call. */
final class CostRulesTest {

  private static Histories refused() {
    return stock(1).books(0, rows("A")).told("B", 0, 5, SOLD_OUT);
  }

  @Test
  void a_refusal_by_UPDATE_breaks_R401_and_R402() {
    Histories history = refused().sent(sends(0, 1, Kind.WRITE));

    isBroken(history.judge(Rule.R401), "user B told SOLD_OUT by WRITE");
    isBroken(history.judge(Rule.R402), "user B told SOLD_OUT by WRITE");
  }

  @ParameterizedTest
  @EnumSource(names = {"READ", "END"})
  void a_refusal_by_reading_breaks_R402_alone(Kind kind) {
    Histories history = refused().sent(sends(0, 1, kind));

    holds(history.judge(Rule.R401));
    isBroken(history.judge(Rule.R402), "user B told SOLD_OUT by " + kind);
  }

  @Test
  void a_refusal_by_Redis_holds_both() {
    Histories history = refused().sent(sends(0, 1, Kind.REDIS));

    holds(history.judge(Rule.R401));
    holds(history.judge(Rule.R402));
  }

  @Test
  void what_a_call_does_after_its_answer_is_no_cost_of_the_answer() {
    isBroken(refused().sent(sends(0, 5, Kind.WRITE)).judge(Rule.R401), "B");
    holds(refused().sent(sends(0, 6, Kind.WRITE)).judge(Rule.R401));
    holds(refused().sent(sends(0, 6, Kind.READ)).judge(Rule.R402));
  }

  @Test
  void a_statement_that_is_not_understood_is_no_proof_of_a_write() {
    Histories history = refused().sent(sends(0, 1, Kind.OTHER));

    isNotReached(history.judge(Rule.R401));
    isBroken(history.judge(Rule.R402), "OTHER");
  }

  @Test
  void a_guess_whose_command_it_was_is_no_proof() {
    Histories own = refused().sent(sends(0, 1, Kind.WRITE).perhaps());
    Histories of_another =
        refused().told("A", 0, 5, ISSUED).sent(sends(1, 2, Kind.WRITE).perhaps());
    Histories before_it_began =
        stock(1).told("B", 3, 5, SOLD_OUT).sent(sends(0, 3, Kind.REDIS).perhaps());

    isNotReached(own.judge(Rule.R401));
    isNotReached(of_another.judge(Rule.R402));
    holds(before_it_began.judge(Rule.R402));
  }

  @Test
  void a_guess_in_another_instance_is_of_no_concern() {
    Histories history =
        refused().instances(2).told("A", 0, 5, ISSUED).sent(sends(1, 2, Kind.WRITE).perhaps());

    holds(history.judge(Rule.R402));
  }

  @Test
  void cost_is_judged_in_calm_where_the_wire_is_watched() {
    isNotReached(refused().judge(Rule.R401));
    isNotReached(refused().watched().faulted().judge(Rule.R401));
    isNotReached(stock(1).watched().told("A", 0, 5, ISSUED).judge(Rule.R402));
  }

  @Test
  void a_run_in_which_the_coupon_was_opened_again_is_not_calm() {
    Histories history =
        refused()
            .sent(sends(0, 1, Kind.WRITE))
            .call(new Histories.CallSpec("x", 0, 1, null).phase(Call.Phase.OPENS_AGAIN));

    isNotReached(history.judge(Rule.R401));
  }

  @Test
  void a_run_beside_which_the_stores_were_made_right_is_not_calm() {
    Histories history =
        refused()
            .sent(sends(0, 1, Kind.WRITE))
            .call(new Histories.CallSpec("rebuild", 0, 1, null).phase(Call.Phase.RECOVERS));

    isNotReached(history.judge(Rule.R401));
  }

  private static Histories inTransaction() {
    return stock(1).told("A", 0, 9, ISSUED).sent(sends(0, 2, Kind.WRITE).on(7).withinTransaction());
  }

  @Test
  void R403_a_transaction_that_ends_before_Redis_is_asked_holds() {
    Histories history =
        inTransaction().sent(sends(0, 3, Kind.END).on(7)).sent(sends(0, 4, Kind.REDIS).on(8));

    holds(history.judge(Rule.R403));
  }

  @Test
  void R403_a_Redis_command_inside_a_transaction_breaks_it() {
    Histories history = inTransaction().sent(sends(0, 4, Kind.REDIS).on(8));

    isBroken(history.judge(Rule.R403), "user A sent REDIS elsewhere within a transaction", 4);
  }

  @Test
  void R403_a_second_connection_inside_a_transaction_breaks_it() {
    Histories history = inTransaction().sent(sends(0, 4, Kind.READ).on(9));

    isBroken(history.judge(Rule.R403), "sent READ elsewhere");
  }

  @Test
  void R403_statements_of_the_transaction_itself_are_not_elsewhere() {
    Histories history = inTransaction().sent(sends(0, 4, Kind.READ).on(7).withinTransaction());

    holds(history.judge(Rule.R403));
  }

  @Test
  void R403_after_an_error_the_connection_may_have_been_given_back() {
    Histories history =
        inTransaction()
            .sent(sends(0, 3, Kind.WRITE).on(7).withinTransaction().ends(Fate.ERROR))
            .sent(sends(0, 4, Kind.REDIS).on(8));

    holds(history.judge(Rule.R403));
  }

  @Test
  void R403_a_statement_that_commits_by_itself_holds_nothing() {
    Histories history =
        stock(1)
            .told("A", 0, 9, ISSUED)
            .sent(sends(0, 2, Kind.WRITE).on(7))
            .sent(sends(0, 4, Kind.REDIS).on(8));

    isNotReached(history.judge(Rule.R403));
  }

  @Test
  void R403_waiting_for_another_call_inside_a_transaction_breaks_it() {
    Histories waits = inTransaction().waits(0, 3).sent(sends(0, 5, Kind.END).on(7));
    Histories before = inTransaction().waits(0, 1).sent(sends(0, 5, Kind.END).on(7));
    Histories other = inTransaction().waits(1, 3).sent(sends(0, 5, Kind.END).on(7));
    Histories after = inTransaction().sent(sends(0, 5, Kind.END).on(7)).waits(0, 5);

    isBroken(waits.judge(Rule.R403), "user A waited for another call", 5);
    holds(before.judge(Rule.R403));
    holds(other.judge(Rule.R403));
    holds(after.judge(Rule.R403));
  }

  @Test
  void R403_the_first_break_is_told() {
    Histories history =
        inTransaction().sent(sends(0, 4, Kind.REDIS).on(8)).sent(sends(0, 6, Kind.REDIS).on(8));

    isBroken(history.judge(Rule.R403), "REDIS", 4);
  }

  @Test
  void R403_a_guess_whose_command_it_was_is_no_proof() {
    Histories history = inTransaction().sent(sends(0, 4, Kind.REDIS).on(8).perhaps());

    holds(history.judge(Rule.R403));
    isNotReached(stock(1).told("A", 0, 9, ISSUED).judge(Rule.R403));
  }
}
