package io.stockproof.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockproof.Stores;
import io.stockproof.gate.Admission.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RedisStockGateServerTest {

  private static final long SECOND = 1_000_000_000L;

  private final Stores stores = new Stores();
  private final StockGate gate =
      stores.keep(
          new RedisStockGate(RedisScripts.standalone(stores.redisClient), Duration.ofSeconds(10)));
  private final long coupon = Stores.newCoupon();

  @AfterEach
  void closeStores() throws Exception {
    stores.close();
  }

  private static <T> T now(CompletableFuture<T> reply) {
    return Replies.await(reply, 5 * SECOND);
  }

  private void build(long coupon, long total, String... users) {
    assertThat(now(gate.begin(coupon, "r.1", 7))).isTrue();
    if (users.length > 0) {
      assertThat(now(gate.install(coupon, "r.1", List.of(users)))).isTrue();
    }
    GateSpec spec = new GateSpec(total, 0, 253_402_300_799_999L, 7, true);
    assertThat(now(gate.finish(coupon, "r.1", users.length, spec))).isTrue();
  }

  private Answer acquire(String user, String token) {
    return now(gate.acquire(coupon, user, token)).answer();
  }

  private String stock() {
    return stores.gateStock(coupon);
  }

  private Map<String, Object> everything() {
    return Map.of(
        "stock", stock(),
        "users", stores.redis.smembers(Stores.key(coupon, "users")),
        "pending", stores.redis.hgetall(Stores.key(coupon, "pending")),
        "meta", stores.redis.hgetall(Stores.key(coupon, "meta")));
  }

  @Test
  void replayedAcquireIsTheSameReservationWithItsTimeUnchanged() {
    build(coupon, 2);
    assertThat(now(gate.acquire(coupon, "a", "t1")))
        .isEqualTo(new Admission(Answer.ACQUIRED, 7, "7"));
    Map<String, Object> before = everything();
    assertThat(now(gate.acquire(coupon, "a", "t1")).epoch()).isEqualTo(7);
    assertThat(everything()).isEqualTo(before);
    assertThat(acquire("a", "t2")).isEqualTo(Answer.IN_FLIGHT);
    assertThat(everything()).isEqualTo(before);
  }

  @Test
  void G01_repeatedRequestsOfOneUserCostOneUnit() {
    build(coupon, 10);
    for (int i = 0; i < 10; i++) {
      acquire("a", "t" + i);
    }
    assertThat(stock()).isEqualTo("9");
  }

  @Test
  void G02_stockNeverFallsBelowZeroAndOneReleaseSellsOneMore() {
    build(coupon, 1);
    assertThat(acquire("a", "t")).isEqualTo(Answer.ACQUIRED);
    for (int i = 0; i < 100; i++) {
      assertThat(acquire("u" + i, "t" + i)).isEqualTo(Answer.SOLD_OUT);
    }
    assertThat(stock()).isEqualTo("0");
    assertThat(now(gate.release(coupon, "a", "t"))).isTrue();
    assertThat(acquire("b", "tb")).isEqualTo(Answer.ACQUIRED);
    assertThat(acquire("c", "tc")).isEqualTo(Answer.SOLD_OUT);
  }

  @Test
  void G16_secondReleaseDoesNothing() {
    build(coupon, 2);
    acquire("a", "t");
    assertThat(now(gate.release(coupon, "a", "t"))).isTrue();
    assertThat(now(gate.release(coupon, "a", "t"))).isFalse();
    assertThat(stock()).isEqualTo("2");
  }

  @Test
  void releaseWithAnotherTokenDoesNothing() {
    build(coupon, 2);
    acquire("a", "t1");
    assertThat(now(gate.release(coupon, "a", "t2"))).isFalse();
    now(gate.confirm(coupon, List.of("a")));
    assertThat(now(gate.release(coupon, "a", "t1"))).isFalse();
    assertThat(stock()).isEqualTo("1");
  }

  @Test
  void soldOutIsSettledOnlyWithoutReservations() {
    build(coupon, 1);
    acquire("a", "t");
    assertThat(acquire("b", "t2")).isEqualTo(Answer.SOLD_OUT);
    now(gate.confirm(coupon, List.of("a")));
    assertThat(acquire("b", "t2")).isEqualTo(Answer.SOLD_OUT_SETTLED);
    assertThat(acquire("a", "t3")).isEqualTo(Answer.DUPLICATE);
  }

  @Test
  void confirmPutsBackAUserWhoseReservationWasReleased() {
    build(coupon, 1);
    acquire("a", "t");
    now(gate.release(coupon, "a", "t"));
    assertThat(now(gate.confirm(coupon, List.of("a")))).isTrue();
    assertThat(now(gate.confirm(coupon, List.of("a")))).isTrue();
    assertThat(stock()).isEqualTo("0");
    assertThat(acquire("a", "t2")).isEqualTo(Answer.DUPLICATE);
  }

  @Test
  void G10_nonCanonicalStockIsCorruptBeforeAnyWrite() {
    build(coupon, 20);
    for (String stock : List.of("10.0", "-1", "007", "1e1", " 1", "", "21", "x")) {
      stores.redis.set(Stores.key(coupon, "stock"), stock);
      Map<String, Object> before = everything();
      assertThat(acquire("a", "t")).as(stock).isEqualTo(Answer.CORRUPT);
      assertThat(now(gate.release(coupon, "a", "t"))).isFalse();
      assertThat(everything()).isEqualTo(before);
    }
  }

  @Test
  void G07_stockIsComparedAsANumber() {
    build(coupon, 100);
    stores.redis.set(Stores.key(coupon, "stock"), "9");
    assertThat(acquire("a", "t")).isEqualTo(Answer.ACQUIRED);
    assertThat(stock()).as("written as the difference").isEqualTo("99");
  }

  @Test
  void wrongTypeOfAnyKeyIsCorruptAndHealedByARebuild() {
    for (String name : List.of("stock", "users", "pending", "meta")) {
      build(coupon, 2);
      stores.redis.del(Stores.key(coupon, name));
      stores.redis.lpush(Stores.key(coupon, name), "wrong");
      assertThat(acquire("a", "t")).as(name).isEqualTo(Answer.CORRUPT);
      assertThat(now(gate.inspect(coupon)).condition()).isEqualTo(GateBooks.Condition.CORRUPT);
      build(coupon, 2);
      assertThat(acquire("a", "t")).as(name).isEqualTo(Answer.ACQUIRED);
    }
  }

  @Test
  void wrongValuesInMetaAndPendingAreCorrupt() {
    build(coupon, 2);
    stores.redis.hset(Stores.key(coupon, "pending"), "a", "no");
    assertThat(acquire("a", "t")).isEqualTo(Answer.CORRUPT);
    assertThat(acquire("b", "t")).isEqualTo(Answer.ACQUIRED);
    stores.redis.hset(Stores.key(coupon, "meta"), "total", "2.0");
    assertThat(acquire("c", "t")).isEqualTo(Answer.CORRUPT);
  }

  @Test
  void G06_G13_eachMissingKeyOrSentinelIsMissing() {
    for (String name : List.of("stock", "users", "pending", "meta")) {
      build(coupon, 2);
      stores.redis.del(Stores.key(coupon, name));
      Map<String, Object> before = everything();
      assertThat(acquire("a", "t")).as(name).isEqualTo(Answer.MISSING);
      assertThat(now(gate.confirm(coupon, List.of("a")))).as(name).isFalse();
      assertThat(now(gate.exhausted(coupon, "a", "t"))).as(name).isFalse();
      assertThat(everything()).isEqualTo(before);
    }
    build(coupon, 2);
    stores.redis.srem(Stores.key(coupon, "users"), "");
    stores.redis.sadd(Stores.key(coupon, "users"), "foreign");
    assertThat(acquire("a", "t")).isEqualTo(Answer.MISSING);
  }

  @Test
  void idsAboveTwoToThe53AreNotMerged() {
    build(coupon, 5);
    assertThat(acquire("9007199254740992", "t1")).isEqualTo(Answer.ACQUIRED);
    assertThat(acquire("9007199254740993", "t2")).isEqualTo(Answer.ACQUIRED);
    long large = 9_007_199_254_740_993L;
    build(large, 1);
    build(large - 1, 1);
    assertThat(now(gate.acquire(large, "a", "t")).answer()).isEqualTo(Answer.ACQUIRED);
    assertThat(now(gate.acquire(large - 1, "a", "t")).answer()).isEqualTo(Answer.ACQUIRED);
  }

  @Test
  void D21_usersThatDifferInCaseAreTwo() {
    build(coupon, 5);
    assertThat(acquire("Ab", "t1")).isEqualTo(Answer.ACQUIRED);
    assertThat(acquire("ab", "t2")).isEqualTo(Answer.ACQUIRED);
  }

  @Test
  void exhaustedTakesTheReservationAndEmptiesTheStock() {
    build(coupon, 5);
    acquire("a", "t");
    assertThat(now(gate.exhausted(coupon, "a", "t"))).isTrue();
    assertThat(now(gate.inspect(coupon)))
        .isEqualTo(new GateBooks(GateBooks.Condition.OPEN, "", 0, 0, 0, 7));
  }

  @Test
  void renewGivesTheNewerEpochOnlyToWhoHoldsAReservation() {
    build(coupon, 5);
    acquire("a", "t");
    stores.redis.hset(Stores.key(coupon, "meta"), "epoch", "9");
    assertThat(now(gate.renew(coupon, "a", "t"))).isEqualTo(9);
    assertThat(now(gate.acquire(coupon, "a", "t")).epoch()).isEqualTo(9);
    assertThat(now(gate.renew(coupon, "a", "other"))).isEqualTo(-1);
    now(gate.close(coupon));
    assertThat(now(gate.renew(coupon, "a", "t"))).isEqualTo(-1);
  }

  @Test
  void rebuildIsTakenOverOnlyWhenItsLeaseHasRunOut() {
    build(coupon, 5, "a");
    assertThat(now(gate.begin(coupon, "one.1", 7))).isTrue();
    assertThat(now(gate.begin(coupon, "two.1", 7))).isFalse();
    Admission meanwhile = now(gate.acquire(coupon, "b", "t"));
    assertThat(meanwhile.answer()).isEqualTo(Answer.REBUILDING);
    assertThat(meanwhile.needsRebuild()).isFalse();

    stores.redis.hset(Stores.key(coupon, "meta"), "lease", "1");
    assertThat(now(gate.acquire(coupon, "b", "t")).needsRebuild()).isTrue();
    assertThat(now(gate.begin(coupon, "two.1", 7))).isTrue();
    assertThat(now(gate.install(coupon, "one.1", List.of("x")))).isFalse();
    GateSpec spec = new GateSpec(5, 0, 253_402_300_799_999L, 8, true);
    assertThat(now(gate.finish(coupon, "one.1", 0, spec))).isFalse();
    assertThat(now(gate.finish(coupon, "two.1", 1, spec))).as("rows that are not there").isFalse();
    assertThat(now(gate.finish(coupon, "two.1", 0, spec))).isTrue();
    assertThat(stock()).isEqualTo("5");
  }

  @Test
  void ownerStartsOverAtOnceAfterAnAttemptThatFailed() {
    build(coupon, 5);
    assertThat(now(gate.begin(coupon, "one.1", 7))).isTrue();
    assertThat(now(gate.begin(coupon, "one.2", 7))).isTrue();
    assertThat(now(gate.install(coupon, "one.1", List.of("x")))).isFalse();
  }

  @Test
  void rebuildThatBeginsLateLeavesAGateAloneThatWasMadeSince() {
    build(coupon, 5, "a");
    Map<String, Object> before = everything();
    assertThat(now(gate.begin(coupon, "late.1", 6))).as("decided before epoch 7").isFalse();
    assertThat(everything()).isEqualTo(before);

    assertThat(now(gate.begin(coupon, "two.1", 7))).isTrue();
    assertThat(now(gate.begin(coupon, "two.0", 6))).as("late, and of the same owner").isFalse();
    GateSpec spec = new GateSpec(5, 0, 253_402_300_799_999L, 8, true);
    assertThat(now(gate.finish(coupon, "two.0", 0, spec))).isFalse();
    assertThat(now(gate.finish(coupon, "two.1", 0, spec))).isTrue();
  }

  @Test
  void rebuildThatBeginsTwiceKeepsWhatItHasInstalled() {
    assertThat(now(gate.begin(coupon, "one.1", 0))).isTrue();
    assertThat(now(gate.install(coupon, "one.1", List.of("a")))).isTrue();
    assertThat(now(gate.begin(coupon, "one.1", 0))).isTrue();
    GateSpec spec = new GateSpec(5, 0, 253_402_300_799_999L, 8, true);
    assertThat(now(gate.finish(coupon, "one.1", 1, spec))).isTrue();
    assertThat(stock()).isEqualTo("4");
  }

  @Test
  void rebuildIsDeadAfterTheReservationTimeoutIfThatIsSooner() {
    StockGate impatient =
        stores.keep(new RedisStockGate(RedisScripts.standalone(stores.redisClient), Duration.ZERO));
    assertThat(now(impatient.begin(coupon, "one.1", 0))).isTrue();
    assertThat(now(impatient.acquire(coupon, "b", "t")).needsRebuild()).isTrue();
    assertThat(now(impatient.begin(coupon, "two.1", 0))).isTrue();
    assertThat(now(impatient.install(coupon, "two.1", List.of("a")))).isTrue();
    GateSpec spec = new GateSpec(5, 0, 253_402_300_799_999L, 8, true);
    assertThat(now(impatient.finish(coupon, "two.1", 1, spec))).isTrue();
  }

  @Test
  void closingDuringARebuildIsNotForgotten() {
    build(coupon, 5);
    now(gate.begin(coupon, "one.1", 7));
    now(gate.close(coupon));
    now(gate.finish(coupon, "one.1", 0, new GateSpec(5, 0, 253_402_300_799_999L, 8, true)));
    assertThat(acquire("a", "t")).isEqualTo(Answer.NOT_OPEN);
  }

  @Test
  void G14_allKeysExpireTogetherAndKeepTheirExpiry() {
    build(coupon, 5);
    acquire("a", "t");
    now(gate.confirm(coupon, List.of("a")));
    assertThat(List.of("stock", "users", "pending", "meta"))
        .extracting(name -> stores.redis.pexpiretime(Stores.key(coupon, name)))
        .containsOnly(253_402_300_799_999L + RedisStockGate.GRACE.toMillis());
  }

  @Test
  void G26_nineThousandUsersAreInstalledInChunks() {
    assertThat(now(gate.begin(coupon, "r.1", 0))).isTrue();
    List<String> users = IntStream.range(0, 9000).mapToObj(i -> "u" + i).toList();
    assertThatThrownBy(() -> gate.install(coupon, "r.1", users))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("9000");
    for (int i = 0; i < 9; i++) {
      now(gate.install(coupon, "r.1", users.subList(i * 1000, i * 1000 + 1000)));
    }
    GateSpec spec = new GateSpec(10_000, 0, 253_402_300_799_999L, 8, true);
    assertThat(now(gate.finish(coupon, "r.1", 9000, spec))).isTrue();
    assertThat(stock()).isEqualTo("1000");
    assertThat(acquire("u8999", "t")).isEqualTo(Answer.DUPLICATE);
  }

  @Test
  void G12_fullServerRefusesToReserveButReleases() {
    build(coupon, 5);
    acquire("a", "t");
    Map<String, String> before = stores.redis.configGet("maxmemory");
    stores.redis.configSet("maxmemory", "1");
    try {
      Map<String, Object> state = everything();
      assertThatThrownBy(() -> acquire("b", "t2"))
          .isInstanceOfSatisfying(GateException.class, e -> assertThat(e.refused()).isTrue());
      assertThat(everything()).isEqualTo(state);
      assertThat(now(gate.release(coupon, "a", "t"))).isTrue();
      assertThat(stock()).isEqualTo("5");
    } finally {
      stores.redis.configSet("maxmemory", before.get("maxmemory"));
    }
  }

  @Test
  void G19_unknownScriptIsSentByTextAndExecutedOnce() {
    build(coupon, 5);
    stores.redis.scriptFlush();
    assertThat(acquire("a", "t")).isEqualTo(Answer.ACQUIRED);
    assertThat(stock()).isEqualTo("4");
  }

  @Test
  void oldReservationsAreFoundAndSettled() {
    build(coupon, 5);
    acquire("a", "ta");
    acquire("b", "tb");
    acquire("c", "tc");
    assertThat(now(gate.stale(coupon, 60_000, "0")).reservations()).isEmpty();
    List<StockGate.Stale> old = new ArrayList<>(now(gate.stale(coupon, 0, "0")).reservations());
    assertThat(old)
        .containsExactlyInAnyOrder(
            new StockGate.Stale("a", "ta"),
            new StockGate.Stale("b", "tb"),
            new StockGate.Stale("c", "tc"));
    List<StockGate.Settlement> settlements =
        List.of(
            new StockGate.Settlement("a", "ta", true),
            new StockGate.Settlement("b", "tb", false),
            new StockGate.Settlement("c", "another", false));
    assertThat(now(gate.settle(coupon, 8, settlements))).isEqualTo(2);
    assertThat(now(gate.inspect(coupon)))
        .isEqualTo(new GateBooks(GateBooks.Condition.OPEN, "", 3, 2, 1, 8));
    assertThat(now(gate.renew(coupon, "c", "tc"))).isEqualTo(8);
    assertThat(now(gate.settle(coupon, 8, List.of(new StockGate.Settlement("c", "tc", false)))))
        .as("took the newer epoch, so it is alive")
        .isZero();
  }
}
