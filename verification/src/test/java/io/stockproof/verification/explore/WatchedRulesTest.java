package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.stockproof.IssueOutcome;
import io.stockproof.verification.Capability;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Scenario.Window;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rules that are judged by more than the books: commands, losses, waits, windows and input. */
final class WatchedRulesTest extends SearchesRealServers {

  private static final Scenario LAST_UNIT = Scenario.users(1, 2, 1, 2);

  private static Verdict verdict(Rule rule, Exploration found) {
    return resultOf(rule, found).verdict();
  }

  @Test
  void R401_R402_whatARefusalCostsIsSeenOnTheWire() throws Exception {
    Exploration luaGate = explore(builtIn("lua-gate"), LAST_UNIT, CALM);
    Exploration core = explore(builtIn("stockproof"), LAST_UNIT, CALM);
    Exploration before = explore(refusingByUpdate(), LAST_UNIT, CALM);

    assertThat(verdict(Rule.R401, luaGate)).isEqualTo(Verdict.PASS);
    assertThat(resultOf(Rule.R402, luaGate).detail()).contains("by SELECT, EVALSHA");
    assertThat(verdict(Rule.R401, core)).isEqualTo(Verdict.PASS);
    assertThat(verdict(Rule.R402, core)).isEqualTo(Verdict.PASS);
    assertThat(resultOf(Rule.R401, before).detail()).contains("by UPDATE, ROLLBACK");
    assertThat(verdict(Rule.R402, before)).isEqualTo(Verdict.VIOLATED);
  }

  private static Subject refusingByUpdate() {
    return Subject.jdbcAndRedis(
            "by-update",
            endpoints -> {
              DataSource dataSource = endpoints.dataSource();
              return (couponId, userId) -> Homemade.issue(dataSource, couponId, userId);
            })
        .claiming(Capability.MULTI_INSTANCE, Capability.CHEAP_REFUSAL);
  }

  @Test
  void R403_aRedisCommandInsideATransactionIsSeen() throws Exception {
    Subject inside = Subject.jdbcAndRedis("redis-inside", RedisInside::new);

    Exploration found = explore(inside, Scenario.users(1, 1, 1, 1), CALM);

    assertThat(resultOf(Rule.R403, found).detail()).contains("sent INCR elsewhere");
  }

  @Test
  void R403_aMonitorInsideATransactionIsSeenAndOneAroundItIsNot() throws Exception {
    Object monitor = new Object();
    Subject inside =
        Subject.jdbcAndRedis(
            "monitor-inside",
            endpoints -> {
              DataSource dataSource = endpoints.dataSource();
              return (couponId, userId) -> issueInside(dataSource, monitor, couponId, userId);
            });

    Exploration found = explore(inside, Scenario.users(1, 2, 2, 1), CALM);
    Exploration around = explore(builtIn("synchronized"), Scenario.users(1, 2, 2, 1), CALM);

    assertThat(resultOf(Rule.R403, found).detail()).contains("waited for another call");
    assertThat(verdict(Rule.R403, around)).isEqualTo(Verdict.PASS);
  }

  private static IssueOutcome issueInside(
      DataSource dataSource, Object monitor, long couponId, String userId) throws SQLException {
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      Homemade.update(tx, Homemade.ADD_ROW, couponId, userId);
      synchronized (monitor) {
        Homemade.update(tx, "UPDATE coupon SET issued = issued + 1 WHERE id = ?", couponId);
      }
      tx.commit();
      return IssueOutcome.ISSUED;
    }
  }

  @Test
  void R502_lossOfEverythingIsHarmlessToTheCoreAndNotToTheLuaGate() throws Exception {
    SearchSettings loss = withFaults(1, CommandFault.REDIS_LOSES_ALL);

    Exploration luaGate = explore(builtIn("lua-gate"), Scenario.users(1, 1, 2, 1), loss);
    Exploration core = explore(builtIn("stockproof"), Scenario.users(1, 1, 2, 1), loss);

    assertThat(resultOf(Rule.R502, luaGate).detail()).contains("R202, R303 after Redis lost data");
    assertThat(verdict(Rule.R502, core)).isEqualTo(Verdict.PASS);
    assertThat(verdict(Rule.R501, core)).isEqualTo(Verdict.PASS);
  }

  @Test
  void R504_aHolderThatWritesAfterItsLockExpiredIsSeenThoughNothingWasOversold() throws Exception {
    Subject locked =
        Subject.jdbcAndRedis("locked", Locked::new).claiming(Capability.MULTI_INSTANCE);

    Exploration found =
        explore(locked, Scenario.users(1, 2, 2, 2), withFaults(1, CommandFault.KEY_EXPIRY));

    assertThat(verdict(Rule.R504, found)).isEqualTo(Verdict.VIOLATED);
    assertThat(verdict(Rule.R101, found)).isNotEqualTo(Verdict.VIOLATED);
  }

  /** A is let in; all keys are lost where B asks, who makes the gate anew; C gets the unit. */
  @Test
  void R504_theCoresFenceHoldsWhereTheLastUnitWasGivenToAnother() throws Exception {
    FaultPlan loss = new FaultPlan(List.of(new FaultPlan.Strike(1, 0, CommandFault.KEY_EXPIRY)));
    Chooser stalled =
        (step, options) ->
            Stream.of(step == 0 ? 0 : 1, 1, 2, 0)
                .filter(actor -> options.stream().anyMatch(o -> o.actor() == actor))
                .findFirst()
                .orElseThrow();
    try (Subject core = builtIn("stockproof");
        Stage stage = new Stage(ENVIRONMENT, core)) {
      Run run = stage.run(Scenario.users(1, 3, 1, 3), loss, stalled, null);

      List<Finding> findings =
          Rules.judge(Objects.requireNonNull(run.history()), core.capabilities());
      assertThat(findings)
          .as(Lanes.draw(Drawing.of(run, 0), 120))
          .contains(Finding.pass(Rule.R504, "1 holders whose hold expired"))
          .noneMatch(finding -> finding.verdict() == Verdict.VIOLATED);
    }
  }

  @ParameterizedTest
  @EnumSource(value = Window.class, names = "OPEN", mode = EnumSource.Mode.EXCLUDE)
  void R601_R603_theCoreSaysNotOpenAndRefusesBadInput(Window window) throws Exception {
    Exploration found =
        explore(builtIn("stockproof"), Scenario.users(1, 1, 2, 1).when(window), CALM);

    assertThat(verdict(Rule.R601, found)).isEqualTo(Verdict.PASS);
    assertThat(verdict(Rule.R603, found)).isEqualTo(Verdict.PASS);
    assertThat(found.rules()).filteredOn(result -> result.verdict() == Verdict.VIOLATED).isEmpty();
  }

  @Test
  void R602_openingAgainIsHarmlessToTheCoreAndNotToTheLuaGate() throws Exception {
    Scenario opened = new Scenario(1, 1, 2, List.of(new Request("100", 0), Request.openAgain(1)));

    Exploration luaGate = explore(builtIn("lua-gate"), opened, CALM);
    Exploration core = explore(builtIn("stockproof"), opened, CALM);

    assertThat(resultOf(Rule.R602, luaGate).detail()).contains("R203 after opening again");
    assertThat(witnessOf(Rule.R602, luaGate).run().lanes(100)).contains("B (opens again@1)");
    assertThat(verdict(Rule.R602, core)).isEqualTo(Verdict.PASS);
  }

  @Test
  void aTokenRemembersTheWindowAndWhoOpensAgain() {
    Scenario scenario =
        new Scenario(1, 1, 2, List.of(new Request("100", 0), Request.openAgain(1)))
            .when(Window.NOT_YET);
    Token token = new Token("x", scenario, List.of(), List.of());

    assertThat(Token.parse(token.text()).scenario()).isEqualTo(scenario);
  }

  private abstract static class WithRedis implements Subject.Instance {
    final DataSource dataSource;
    final RedisClient client;
    final StatefulRedisConnection<String, String> redis;

    WithRedis(Endpoints endpoints) {
      dataSource = endpoints.dataSource();
      client = RedisClient.create(endpoints.redisUri());
      redis = client.connect();
    }

    @Override
    public void close() {
      redis.close();
      client.shutdown();
    }
  }

  private static final class RedisInside extends WithRedis {
    RedisInside(Endpoints endpoints) {
      super(endpoints);
    }

    @Override
    public IssueOutcome issue(long couponId, String userId) throws SQLException {
      try (Connection tx = dataSource.getConnection()) {
        tx.setAutoCommit(false);
        Homemade.update(tx, Homemade.TAKE_COUPON, couponId);
        redis.sync().incr("count:" + couponId);
        Homemade.update(tx, Homemade.ADD_ROW, couponId, userId);
        tx.commit();
        return IssueOutcome.ISSUED;
      }
    }
  }

  /** A lock that expires, and a write that does not ask whether it did. */
  private static final class Locked extends WithRedis {
    Locked(Endpoints endpoints) {
      super(endpoints);
    }

    @Override
    public IssueOutcome issue(long couponId, String userId) throws SQLException {
      String lock = "lock:" + couponId;
      if (redis.sync().set(lock, userId, SetArgs.Builder.nx().ex(60)) == null) {
        return IssueOutcome.UNAVAILABLE;
      }
      try {
        return Homemade.issue(dataSource, couponId, userId);
      } finally {
        redis.sync().del(lock);
      }
    }
  }
}
