package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import io.stockproof.verification.subjects.Subjects;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The subjects of the articles, held to what the table says of them by search alone. */
final class SubjectsTest extends SearchesRealServers {

  private static final Set<CommandFault> LEASE_EXPIRY = CommandFault.parse("lease-expiry");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no-control",
        "synchronized",
        "pessimistic",
        "optimistic",
        "atomic-update",
        "atomic-update-tx",
        "redisson-lock",
        "setnx-lock",
        "setnx-lock-fenced",
        "no-control+unique",
        "synchronized+unique",
        "pessimistic+unique",
        "optimistic+unique",
        "atomic-update+unique",
        "setnx-lock+unique",
        "setnx-lock-fenced+unique"
      })
  void T06_aSubjectBreaksWhatItIsKnownToBreakAndNothingElse(String name) throws Exception {
    Set<Rule> broken = EnumSet.noneOf(Rule.class);
    broken.addAll(broken(name, requests("A,B", 1, 1), CALM));
    broken.addAll(broken(name, requests("A,B", 1, 2), CALM));
    broken.addAll(broken(name, requests("A,A", 2, 2), CALM));
    broken.addAll(broken(name, requests("A,B,C", 3, 3), CALM));
    broken.addAll(broken(name, requests("A", 2, 1), withFaults(1, CommandFault.CRASH)));
    broken.addAll(broken(name, requests("A,B", 1, 2), withFaults(1, CommandFault.CRASH)));
    broken.addAll(broken(name, requests("A,B", 1, 2), CALM.withFaults(LEASE_EXPIRY, 1)));

    assertThat(broken).isEqualTo(judged(expected(name).in(2, true)));
  }

  private static ExpectedRules expected(String name) {
    return Subjects.named(name).orElseThrow().expected();
  }

  /** R701 repeats the others. */
  private static Set<Rule> judged(Set<Rule> rules) {
    Set<Rule> judged = EnumSet.copyOf(Rules.judged());
    judged.retainAll(rules);
    judged.remove(Rule.R701);
    return judged;
  }

  private static Set<Rule> broken(String name, Scenario scenario, SearchSettings settings)
      throws Exception {
    Exploration found = explore(builtIn(name), scenario, settings);
    assertThat(found.exhaustive()).as(name + ", " + scenario + ": " + found.limits()).isTrue();
    Set<Rule> broken = EnumSet.noneOf(Rule.class);
    found.rules().stream()
        .filter(result -> result.verdict() == Verdict.VIOLATED)
        .forEach(result -> broken.add(result.rule()));
    Set<Rule> mayBreak =
        expected(name).in(scenario.instances(), !settings.choices().faults().isEmpty());
    assertThat(mayBreak).as(name + ", " + scenario).containsAll(broken);
    return judged(broken);
  }

  @ParameterizedTest
  @ValueSource(strings = {"setnx-lock", "redisson-lock"})
  void L12_aHolderFrozenPastItsLeaseAndTheNextOneBothIssue(String name) throws Exception {
    try (Explorer explorer = explorerOf(builtIn(name))) {
      Exploration found =
          explorer.explore(
              Scenario.users(1, 2, 1, 2), CALM.withFaults(LEASE_EXPIRY, 1), Explorer.Observer.NONE);

      Exploration.Witness witness = witnessOf(Rule.R101, found);
      assertThat(resultOf(Rule.R101, found).detail()).isEqualTo("2 rows > total 1");
      assertThat(witness.run().faults()).isEqualTo(1);
      Replay again = explorer.replay(Token.parse(witness.token().text()));
      assertThat(again.divergence()).as("what Redisson does by itself is no step").isNull();
      assertThat(again.verdict()).isEqualTo(Verdict.VIOLATED);
    }
  }

  @Test
  void L13_aFencedHolderThatWasOvertakenWritesNothing() throws Exception {
    Exploration found =
        explore(
            builtIn("setnx-lock-fenced"),
            Scenario.users(1, 2, 1, 2),
            CALM.withFaults(LEASE_EXPIRY, 1));

    assertThat(resultOf(Rule.R101, found).verdict()).isEqualTo(Verdict.PASS);
    assertThat(found.verdict()).as(found.rules().toString()).isEqualTo(Verdict.PASS);
    assertThat(found.exhaustive()).as(found.limits().toString()).isTrue();
  }

  @Test
  void D05_withSnapshotIsolationAStaleReadIsError1020AndNotALostUpdate() throws Exception {
    if (ENVIRONMENT.database().product() != Product.MARIADB) {
      String reason = "innodb_snapshot_isolation is a setting of MariaDB";
      System.out.println("skipped: " + reason);
      Assumptions.abort(reason);
    }
    ENVIRONMENT.snapshotIsolation(true);
    try {
      Exploration found = explore(builtIn("no-control"), Scenario.users(1, 2, 1, 2), CALM);

      assertThat(resultOf(Rule.R101, found).verdict()).isEqualTo(Verdict.PASS);
      assertThat(resultOf(Rule.R103, found).verdict()).isEqualTo(Verdict.PASS);
      assertThat(witnessOf(Rule.R309, found).run().lanes(120)).contains("→ error 1020");
    } finally {
      ENVIRONMENT.snapshotIsolation(false);
    }
  }
}
