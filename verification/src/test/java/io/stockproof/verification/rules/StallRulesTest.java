package io.stockproof.verification.rules;

import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.UNAVAILABLE;
import static io.stockproof.verification.rules.FindingAssert.holds;
import static io.stockproof.verification.rules.FindingAssert.isBroken;
import static io.stockproof.verification.rules.FindingAssert.isNotReached;
import static io.stockproof.verification.rules.Histories.rows;
import static io.stockproof.verification.rules.Histories.sends;
import static io.stockproof.verification.rules.Histories.stock;
import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.history.Wire.Fate;
import io.stockproof.verification.history.Wire.Kind;
import io.stockproof.verification.rules.Histories.CallSpec;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * R504. A takes the lock at step 1 and reads at 2; it expires at 3, where B takes it; B reads at 4
 * and writes at 5; A writes at 6.
 */
final class StallRulesTest {
  private static final Set<String> LOCK = Set.of("lock");

  private static Histories expired(long total) {
    return stock(total).lost(3, LOCK, LOCK).books(0, rows()).books(5, rows("B"));
  }

  private static Histories calls(Histories history, IssueOutcome toldA, boolean wroteA) {
    return history
        .call(new CallSpec("A", 0, 9, toldA).wroteRow(wroteA))
        .call(new CallSpec("B", 2, 8, ISSUED).wroteRow(true));
  }

  private static Histories entered(Histories history) {
    return history
        .sent(sends(0, 1, Kind.REDIS).keys("lock"))
        .sent(sends(0, 2, Kind.READ))
        .sent(sends(1, 3, Kind.REDIS).keys("lock"))
        .sent(sends(1, 4, Kind.READ))
        .sent(sends(1, 5, Kind.WRITE));
  }

  private static Histories bothWrote(long total) {
    return entered(calls(expired(total).books(6, rows("A", "B")), ISSUED, true));
  }

  @Test
  void a_holder_that_writes_after_another_was_let_in_breaks_it() {
    isBroken(
        bothWrote(1).sent(sends(0, 6, Kind.WRITE)).judge(Rule.R504),
        "user A wrote after user B was let in",
        6);
  }

  @Test
  void it_is_broken_where_units_are_left_too_if_the_key_was_a_lock() {
    isBroken(bothWrote(5).sent(sends(0, 6, Kind.WRITE)).judge(Rule.R504), "user A wrote");
  }

  @Test
  void a_holder_whose_write_was_refused_holds_it() {
    Histories fenced = entered(calls(expired(1), UNAVAILABLE, false));

    Finding finding = fenced.sent(sends(0, 6, Kind.WRITE)).judge(Rule.R504);

    holds(finding);
    assertThat(finding.detail()).isEqualTo("1 holders whose hold expired");
  }

  @Test
  void a_holder_that_wrote_before_the_other_was_inside_holds_it() {
    Histories before =
        calls(expired(1).books(6, rows("A", "B")), ISSUED, true)
            .sent(sends(0, 1, Kind.REDIS).keys("lock"))
            .sent(sends(1, 3, Kind.REDIS).keys("lock"))
            .sent(sends(0, 4, Kind.WRITE))
            .sent(sends(1, 4, Kind.READ).doneAt(6))
            .sent(sends(0, 6, Kind.WRITE))
            .sent(sends(1, 5, Kind.WRITE));

    holds(before.judge(Rule.R504));
  }

  @Test
  void a_holder_that_asked_again_writes_by_a_new_right() {
    Histories renewed =
        calls(expired(1).books(8, rows("A", "B")), ISSUED, true)
            .sent(sends(0, 1, Kind.REDIS).keys("lock"))
            .sent(sends(1, 3, Kind.REDIS).keys("lock"))
            .sent(sends(1, 4, Kind.READ))
            .sent(sends(1, 5, Kind.WRITE))
            .sent(sends(0, 6, Kind.REDIS).keys("lock"))
            .sent(sends(0, 8, Kind.WRITE));

    isNotReached(renewed.judge(Rule.R504));
  }

  @Test
  void a_key_that_stays_is_no_lock_and_another_may_come_in_while_units_are_left() {
    Histories users =
        entered(
                calls(
                    stock(2)
                        .lost(3, LOCK, Set.of())
                        .books(0, rows())
                        .books(5, rows("B"))
                        .books(6, rows("A", "B")),
                    ISSUED,
                    true))
            .sent(sends(0, 6, Kind.WRITE));

    isNotReached(users.judge(Rule.R504));
  }

  @Test
  void a_reservation_is_expired_and_given_to_another_if_no_other_unit_was_left() {
    Histories last =
        entered(
                calls(
                    stock(2)
                        .lost(3, LOCK, Set.of())
                        .books(0, rows("X"))
                        .books(5, rows("X", "B"))
                        .books(6, rows("X", "A", "B")),
                    ISSUED,
                    true))
            .sent(sends(0, 6, Kind.WRITE));

    isBroken(last.judge(Rule.R504), "user A wrote after user B was let in");
  }

  @Test
  void who_never_had_the_lock_does_not_hold_it() {
    Histories never =
        calls(expired(1).books(6, rows("A", "B")), ISSUED, true)
            .sent(sends(0, 1, Kind.REDIS).keys("lock").ends(Fate.ERROR))
            .sent(sends(1, 3, Kind.REDIS).keys("lock"))
            .sent(sends(1, 4, Kind.READ))
            .sent(sends(1, 5, Kind.WRITE))
            .sent(sends(0, 6, Kind.WRITE));
    Histories other =
        calls(expired(1).books(6, rows("A", "B")), ISSUED, true)
            .sent(sends(0, 1, Kind.REDIS).keys("other"))
            .sent(sends(1, 3, Kind.REDIS).keys("lock"))
            .sent(sends(1, 4, Kind.READ))
            .sent(sends(1, 5, Kind.WRITE))
            .sent(sends(0, 6, Kind.WRITE));

    isNotReached(never.judge(Rule.R504));
    isNotReached(other.judge(Rule.R504));
  }

  private static Histories twoKeys(Fate ofLock, String asked) {
    Set<String> both = Set.of("lock", "users");
    return calls(
            stock(5)
                .lost(3, both, LOCK)
                .books(0, rows())
                .books(5, rows("B"))
                .books(6, rows("A", "B")),
            ISSUED,
            true)
        .sent(sends(0, 1, Kind.REDIS).keys("users"))
        .sent(sends(0, 2, Kind.REDIS).keys("lock").ends(ofLock))
        .sent(sends(1, 3, Kind.REDIS).keys(asked))
        .sent(sends(1, 4, Kind.READ))
        .sent(sends(1, 5, Kind.WRITE))
        .sent(sends(0, 6, Kind.WRITE));
  }

  @Test
  void where_more_than_the_lock_was_lost_both_must_have_had_the_lock() {
    isBroken(twoKeys(Fate.DONE, "lock").judge(Rule.R504), "user A wrote");
    isNotReached(twoKeys(Fate.UNANSWERED, "lock").judge(Rule.R504));
    isNotReached(twoKeys(Fate.DONE, "users").judge(Rule.R504));
  }

  @Test
  void another_that_got_no_row_was_not_certainly_let_in() {
    Histories none =
        stock(1)
            .lost(3, LOCK, LOCK)
            .books(0, rows())
            .books(6, rows("A"))
            .call(new CallSpec("A", 0, 9, ISSUED).wroteRow(true))
            .call(new CallSpec("B", 2, 8, UNAVAILABLE).wroteRow(false));

    isNotReached(entered(none).sent(sends(0, 6, Kind.WRITE)).judge(Rule.R504));
  }

  @Test
  void a_statement_that_failed_wrote_nothing() {
    Histories failed = bothWrote(1).sent(sends(0, 6, Kind.WRITE).ends(Fate.UNANSWERED));

    holds(failed.judge(Rule.R504));
  }

  @Test
  void guesses_and_several_losses_prove_nothing() {
    Histories guess = bothWrote(1).sent(sends(0, 6, Kind.WRITE).perhaps());
    Histories twice = bothWrote(1).lost(7, LOCK, LOCK).sent(sends(0, 6, Kind.WRITE));

    isNotReached(guess.judge(Rule.R504));
    isNotReached(twice.judge(Rule.R504));
    isNotReached(stock(1).watched().judge(Rule.R504));
    isNotReached(stock(1).judge(Rule.R504));
  }
}
