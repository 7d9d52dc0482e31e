package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same token makes the same run; against other code it says so. */
final class ReplayTest extends SearchesRealServers {

  @Test
  void T05_aTokenBreaksTheSameRuleAHundredTimesOfAHundred() throws Exception {
    Token token = tokenOf(explore(builtIn("no-control"), Scenario.users(1, 2, 1, 1), CALM));

    try (Subject subject = builtIn("no-control");
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      for (int time = 1; time <= 100; time++) {
        Replay replay = explorer.replay(Token.parse(token.text()));

        assertThat(replay.divergence()).as("time " + time).isNull();
        assertThat(replay.verdict()).as("time " + time).isEqualTo(Verdict.VIOLATED);
        assertThat(broken(replay.findings())).as("time " + time).contains(Rule.R101);
      }
    }
  }

  @Test
  void theSameOrderGivesTheSameCommandsAndAnswers() throws Exception {
    try (Subject subject = builtIn("stockproof");
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      Drawn drawn = new Drawn(requests("A,A,B", 2, 3), List.of(), List.of(0, 1, 2, 1, 0, 2, 1, 1));
      Token token = explorer.play(drawn).token();

      List<List<List<Object>>> seen = new ArrayList<>();
      for (int time = 0; time < 10; time++) {
        Run run = explorer.follow(token.scenario(), token.plan(), token.order());
        assertThat(Token.of("stockproof", run)).isEqualTo(token);
        seen.add(
            run.steps().stream()
                .<List<Object>>map(
                    s -> List.of(s.actor(), s.name(), Drawing.answer(s), String.valueOf(s.books())))
                .toList());
      }
      assertThat(seen).allSatisfy(steps -> assertThat(steps).isEqualTo(seen.get(0)));
    }
  }

  @Test
  void aTokenWithFaultsStrikesAgainAtTheSamePlaces() throws Exception {
    try (Subject subject = builtIn("lua-gate");
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      Drawn drawn =
          new Drawn(
              requests("A", 2, 1),
              List.of(
                  new Token.Fault(0, 3, CommandFault.ERROR_1213),
                  new Token.Fault(0, 5, CommandFault.CRASH)),
              List.of());
      Explorer.Played played = explorer.play(drawn);
      Replay replay = explorer.replay(Token.parse(played.token().text()));

      assertThat(replay.divergence()).isNull();
      assertThat(replay.run().faults()).isEqualTo(2);
      assertThat(broken(replay.findings())).isEqualTo(broken(played.findings()));
      assertThat(replay.run().lanes(100)).isEqualTo(played.run().lanes(100));
    }
  }

  @Test
  void changedCodeIsNoticedAndNeverPasses() throws Exception {
    Token token = tokenOf(explore(builtIn("no-control"), Scenario.users(1, 2, 1, 1), CALM));
    try (Subject changed = builtIn("lua-gate");
        Explorer explorer = new Explorer(ENVIRONMENT, changed)) {
      Replay replay = explorer.replay(token);

      assertThat(replay.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
      assertThat(replay.divergence())
          .matches("diverged at step \\d+: expected INSERT( of [AB])?, saw EVALSHA( of [AB])?");
    }
  }

  @Test
  void anotherStatementOfTheSameKindIsShown() throws Exception {
    Token token = played(issuing(Homemade.TAKE_COUPON));
    String other = "UPDATE coupon SET issued = issued + 1 WHERE issued < total AND id = ?";
    try (Subject changed = issuing(other);
        Explorer explorer = new Explorer(ENVIRONMENT, changed)) {
      assertThat(explorer.replay(token).divergence())
          .startsWith(
              "diverged at step 1: expected UPDATE, saw another UPDATE: "
                  + other.substring(0, other.indexOf('?')));
    }
  }

  @Test
  void fewerAndMoreCommandsAreNoticed() throws Exception {
    Token once = played(issuing(Homemade.TAKE_COUPON));
    Token twice =
        played(issuing(Homemade.TAKE_COUPON, "UPDATE coupon SET total = total WHERE id = ?"));

    assertThat(divergence(once, issuing(Homemade.TAKE_COUPON, Homemade.TAKE_COUPON)))
        .isEqualTo("diverged at step 2: expected the end, saw UPDATE");
    assertThat(divergence(twice, issuing(Homemade.TAKE_COUPON)))
        .isEqualTo("diverged at step 2: expected UPDATE, saw the end");
  }

  private static String divergence(Token token, Subject changed) throws Exception {
    try (changed;
        Explorer explorer = new Explorer(ENVIRONMENT, changed)) {
      Replay replay = explorer.replay(token);
      assertThat(replay.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
      return String.valueOf(replay.divergence());
    }
  }

  /** Sends the statements, each with the coupon as its parameter. */
  private static Subject issuing(String... statements) {
    return Subject.jdbcAndRedis(
        "changing",
        endpoints ->
            (couponId, userId) -> {
              try (var connection = endpoints.dataSource().getConnection()) {
                for (String statement : statements) {
                  Homemade.update(connection, statement, couponId);
                }
              }
              return IssueOutcome.UNAVAILABLE;
            });
  }

  private static Token played(Subject subject) throws Exception {
    try (subject;
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      return explorer.play(new Drawn(requests("A", 1, 1), List.of(), List.of())).token();
    }
  }

  private static Token tokenOf(Exploration found) {
    return witnessOf(Rule.R101, found).token();
  }

  private static List<Rule> broken(List<Finding> findings) {
    return findings.stream()
        .filter(finding -> finding.verdict() == Verdict.VIOLATED)
        .map(Finding::rule)
        .toList();
  }
}
