package io.stockproof;

import static io.stockproof.IssueOutcome.DUPLICATE;
import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.NOT_OPEN;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.IssueOutcome.UNAVAILABLE;
import static io.stockproof.IssueOutcome.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CouponIssuerServerTest {

  private final Stores stores = new Stores();
  private final long coupon = Stores.newCoupon();

  @AfterEach
  void closeStores() throws Exception {
    stores.close();
  }

  private Stockproof threaded() {
    return stores.keep(
        Stockproof.issuer(stores.endpoints.dataSource(), stores.redisClient).build());
  }

  private static Map<IssueOutcome, Long> together(
      int requests, int threads, IntFunction<IssueOutcome> call) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<IssueOutcome>> calls = new ArrayList<>();
      for (int i = 0; i < requests; i++) {
        int number = i;
        calls.add(
            pool.submit(
                () -> {
                  start.await();
                  return call.apply(number);
                }));
      }
      start.countDown();
      List<IssueOutcome> outcomes = new ArrayList<>();
      for (Future<IssueOutcome> future : calls) {
        outcomes.add(future.get(30, TimeUnit.SECONDS));
      }
      return outcomes.stream()
          .collect(Collectors.groupingBy(outcome -> outcome, Collectors.counting()));
    } finally {
      pool.shutdownNow();
    }
  }

  private static void awaitBalance(Stockproof issuer, long coupon) {
    await().untilAsserted(() -> assertThat(issuer.coupons().audit(coupon).balanced()).isTrue());
  }

  @Test
  void tellsIssuedThenDuplicateThenSoldOut() {
    Stockproof issuer = stores.manual();
    issuer.coupons().open(Stores.spec(coupon, 1));

    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    assertThat(issuer.issue(coupon, "a")).as("reservation open").isEqualTo(UNAVAILABLE);
    assertThat(issuer.issue(coupon, "b")).as("reservation open").isEqualTo(SOLD_OUT);
    issuer.resolve();
    assertThat(issuer.issue(coupon, "a")).isEqualTo(DUPLICATE);
    assertThat(issuer.issue(coupon, "b")).isEqualTo(SOLD_OUT);
    assertThat(issuer.coupons().audit(coupon).balanced()).isTrue();
  }

  @Test
  void refusesBadIdsBeforeAnyEffect() {
    Stockproof issuer = stores.manual();
    assertThatThrownBy(() -> issuer.issue(0, "a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("coupon id must be 1 or more, was 0");
    for (String user : List.of("", "a b", "é", "x".repeat(65), "a\n")) {
      assertThatThrownBy(() -> issuer.issueAsync(coupon, user))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 to 64 printable ASCII characters")
          .hasMessageContaining("'" + user + "'");
    }
    assertThatThrownBy(() -> issuer.issue(coupon, nobody()))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("user id must not be null");
    assertThat(stores.redis.keys(Stores.key(coupon, "*"))).isEmpty();
  }

  /** What a caller may pass whatever the annotations say. */
  @SuppressWarnings("NullAway")
  private static String nobody() {
    return null;
  }

  @Test
  void neverOpenedCouponIsNotOpenAndLeavesNoKeys() {
    Stockproof issuer = stores.manual();
    assertThat(issuer.issue(coupon, "a")).isEqualTo(NOT_OPEN);
    assertThat(issuer.issue(coupon, "b")).isEqualTo(NOT_OPEN);
    issuer.resolve();
    assertThat(stores.redis.keys(Stores.key(coupon, "*"))).isEmpty();
  }

  @Test
  void nothingIsIssuedOutsideTheWindow() {
    Stockproof issuer = stores.manual();
    Instant now = Instant.now();
    issuer.coupons().open(new CouponSpec(coupon, 1, now.plusSeconds(600), now.plusSeconds(1200)));
    assertThat(issuer.issue(coupon, "a")).isEqualTo(NOT_OPEN);

    long past = Stores.newCoupon();
    issuer.coupons().open(new CouponSpec(past, 1, now.minusSeconds(1200), now.minusSeconds(600)));
    assertThat(issuer.issue(past, "a")).isEqualTo(NOT_OPEN);
    assertThat(stores.rows(coupon) + stores.rows(past)).isZero();
  }

  @Test
  void thousandRequestsOnFiftyThreadsIssueExactlyHundred() throws Exception {
    Stockproof issuer = threaded();
    issuer.coupons().open(Stores.spec(coupon, 100));
    Map<IssueOutcome, Long> outcomes =
        together(1000, 50, number -> issuer.issue(coupon, 1_000 + number));

    assertThat(outcomes).containsExactlyInAnyOrderEntriesOf(Map.of(ISSUED, 100L, SOLD_OUT, 900L));
    assertThat(stores.rows(coupon)).isEqualTo(100);
    assertThat(stores.counter(coupon)).isEqualTo(100);
    awaitBalance(issuer, coupon);
  }

  @Test
  void G01_oneUserAskingHundredTimesGetsOneUnitAndLeavesTheOthers() throws Exception {
    Stockproof issuer = threaded();
    issuer.coupons().open(Stores.spec(coupon, 10));
    Map<IssueOutcome, Long> outcomes = together(100, 20, number -> issuer.issue(coupon, "a"));

    assertThat(outcomes.get(ISSUED)).isEqualTo(1);
    assertThat(outcomes.keySet()).isSubsetOf(ISSUED, DUPLICATE, UNAVAILABLE);
    awaitBalance(issuer, coupon);
    assertThat(stores.gateStock(coupon)).isEqualTo("9");
    assertThat(issuer.issue(coupon, "b")).isEqualTo(ISSUED);
  }

  @Test
  void twoInstancesShareTheStock() throws Exception {
    Stockproof one = threaded();
    Stockproof two = threaded();
    one.coupons().open(Stores.spec(coupon, 50));
    Map<IssueOutcome, Long> outcomes =
        together(300, 30, number -> (number % 2 == 0 ? one : two).issue(coupon, 1 + number));

    assertThat(outcomes).containsExactlyInAnyOrderEntriesOf(Map.of(ISSUED, 50L, SOLD_OUT, 250L));
    awaitBalance(two, coupon);
  }

  @Test
  void poolOfOneConnectionServesEveryone() throws Exception {
    HikariDataSource pool = stores.pool(1, Duration.ofSeconds(5), "");
    Stockproof issuer =
        stores.keep(
            Stockproof.issuer(pool, stores.redisClient).timeout(Duration.ofSeconds(10)).build());
    issuer.coupons().open(Stores.spec(coupon, 40));
    Map<IssueOutcome, Long> outcomes = together(60, 20, number -> issuer.issue(coupon, 1 + number));

    assertThat(outcomes).containsExactlyInAnyOrderEntriesOf(Map.of(ISSUED, 40L, SOLD_OUT, 20L));
    awaitBalance(issuer, coupon);
  }

  @Test
  void asynchronousRequestsDoNotBlockAndAllEnd() throws Exception {
    Stockproof issuer = threaded();
    issuer.coupons().open(Stores.spec(coupon, 100));
    List<Future<IssueOutcome>> calls = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      calls.add(issuer.issueAsync(coupon, "u" + i).toCompletableFuture());
    }
    int issued = 0;
    for (Future<IssueOutcome> call : calls) {
      issued += call.get(5, TimeUnit.SECONDS) == ISSUED ? 1 : 0;
    }
    assertThat(issued).isEqualTo(100);
    awaitBalance(issuer, coupon);
  }

  @Test
  void G19_scriptFlushMidwayIsNotNoticed() {
    Stockproof issuer = stores.manual();
    issuer.coupons().open(Stores.spec(coupon, 2));
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    stores.redis.scriptFlush();
    assertThat(issuer.issue(coupon, "b")).isEqualTo(ISSUED);
    stores.redis.scriptFlush();
    issuer.resolve();
    assertThat(issuer.coupons().audit(coupon).balanced()).isTrue();
  }

  @Test
  void D34_D33_exhaustedPoolIsUnavailableAndReleasedOnce() throws Exception {
    HikariDataSource pool = stores.pool(1, Duration.ofSeconds(30), "");
    Stockproof issuer =
        stores.keep(
            Stockproof.issuer(pool, stores.redisClient).timeout(Duration.ofMillis(500)).build());
    issuer.coupons().open(Stores.spec(coupon, 2));
    try (Connection busy = pool.getConnection()) {
      assertThat(busy.isClosed()).isFalse();
      long started = System.nanoTime();
      assertThat(issuer.issue(coupon, "a")).isEqualTo(UNAVAILABLE);
      assertThat(Duration.ofNanos(System.nanoTime() - started))
          .isBetween(Duration.ofMillis(450), Duration.ofMillis(1500));
      await().untilAsserted(() -> assertThat(stores.gateStock(coupon)).isEqualTo("2"));
    }
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    awaitBalance(issuer, coupon);
    assertThat(stores.gateStock(coupon)).isEqualTo("1");
  }

  @Test
  void D33_lockedRowIsUnavailableInTimeAndNothingIsWrittenLater() throws Exception {
    Stockproof issuer =
        stores.keep(
            Stockproof.issuer(stores.endpoints.dataSource(), stores.redisClient)
                .timeout(Duration.ofMillis(500))
                .build());
    issuer.coupons().open(Stores.spec(coupon, 1));
    try (Connection holder = stores.connection()) {
      holder.setAutoCommit(false);
      holder
          .createStatement()
          .executeQuery("SELECT id FROM coupon WHERE id = " + coupon + " FOR UPDATE");
      assertThat(issuer.issue(coupon, "a")).isEqualTo(UNAVAILABLE);
      holder.rollback();
    }
    await().untilAsserted(() -> assertThat(stores.gateStock(coupon)).isEqualTo("1"));
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    awaitBalance(issuer, coupon);
  }

  @Test
  void pausedRedisIsUnavailableInTimeAndTheLateReservationIsReleased() {
    Stockproof issuer =
        stores.keep(
            Stockproof.issuer(stores.endpoints.dataSource(), stores.redisClient)
                .timeout(Duration.ofMillis(300))
                .build());
    issuer.coupons().open(Stores.spec(coupon, 1));
    stores.redis.clientPause(1000);
    long started = System.nanoTime();
    assertThat(issuer.issue(coupon, "a")).isEqualTo(UNAVAILABLE);
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofMillis(900));
    await().untilAsserted(() -> assertThat(issuer.issue(coupon, "a")).isIn(ISSUED, DUPLICATE));
    awaitBalance(issuer, coupon);
    assertThat(stores.rows(coupon)).isEqualTo(1);
  }

  @Test
  void G18_realDuplicateKeepsItsUnitAndComesBackIntoTheSet() {
    Stockproof issuer = stores.manual();
    issuer.coupons().open(Stores.spec(coupon, 2));
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    issuer.resolve();
    stores.redis.srem(Stores.key(coupon, "users"), "a");

    for (int i = 0; i < 3; i++) {
      assertThat(issuer.issue(coupon, "a")).isEqualTo(DUPLICATE);
      issuer.resolve();
    }
    assertThat(issuer.coupons().audit(coupon).balanced()).isTrue();
    assertThat(stores.gateStock(coupon)).isEqualTo("1");
  }

  @Test
  void G06_G13_eachMissingKeyIsUnavailableThenRebuilt() {
    Stockproof issuer = stores.manual();
    issuer.coupons().open(Stores.spec(coupon, 3));
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    for (String name : List.of("stock", "users", "pending", "meta")) {
      stores.redis.del(Stores.key(coupon, name));
      assertThat(issuer.issue(coupon, "a")).as(name).isEqualTo(UNAVAILABLE);
      assertThat(issuer.issue(coupon, "b")).as(name).isEqualTo(UNAVAILABLE);
      issuer.resolve();
      assertThat(issuer.issue(coupon, "a")).as(name).isEqualTo(DUPLICATE);
      assertThat(issuer.coupons().audit(coupon).balanced()).as(name).isTrue();
    }
    assertThat(issuer.issue(coupon, "b")).isEqualTo(ISSUED);
    assertThat(stores.rows(coupon)).isEqualTo(2);
  }

  @Test
  void lostGateIsRebuiltBehindTrafficWithoutOneUnitTooMany() throws Exception {
    Stockproof issuer = threaded();
    issuer.coupons().open(Stores.spec(coupon, 100));
    together(60, 20, number -> issuer.issue(coupon, 1 + number));
    stores.redis.del(Stores.key(coupon, "stock"), Stores.key(coupon, "users"));
    await().until(() -> issuer.issue(coupon, 61) == ISSUED);
    Map<IssueOutcome, Long> outcomes =
        together(100, 20, number -> issuer.issue(coupon, 1000 + number));
    assertThat(outcomes).containsExactlyInAnyOrderEntriesOf(Map.of(ISSUED, 39L, SOLD_OUT, 61L));
    awaitBalance(issuer, coupon);
  }

  @Test
  void fullLedgerBehindAGenerousGateIsSoldOutAndMendsTheGate() {
    Stockproof issuer = stores.manual();
    issuer.coupons().open(Stores.spec(coupon, 1));
    stores.sql("INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, 'other')", coupon);
    stores.sql("UPDATE coupon SET issued = 1 WHERE id = ?", coupon);

    assertThat(issuer.issue(coupon, "a")).isEqualTo(SOLD_OUT);
    assertThat(stores.gateStock(coupon)).isEqualTo("0");
    issuer.resolve();
    assertThat(issuer.coupons().audit(coupon).balanced()).isTrue();
    assertThat(issuer.issue(coupon, "other")).isEqualTo(DUPLICATE);
  }

  @Test
  void reservationFencedByANewerEpochIsRenewedOnceTheGateHasIt() {
    Stockproof issuer = stores.manual();
    issuer.coupons().open(Stores.spec(coupon, 1));
    stores.sql("UPDATE coupon SET epoch = epoch + 1 WHERE id = ?", coupon);
    assertThat(issuer.issue(coupon, "a")).as("the gate lags").isEqualTo(UNAVAILABLE);
    assertThat(stores.gateStock(coupon)).as("released").isEqualTo("1");
    issuer.resolve();
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
  }

  @Test
  void soldOutIsRememberedWithoutAskingRedis() {
    Stockproof issuer = stores.manual();
    issuer.coupons().open(Stores.spec(coupon, 1));
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    issuer.resolve();
    assertThat(issuer.issue(coupon, "b")).isEqualTo(SOLD_OUT);
    stores.redis.del(Stores.key(coupon, "meta"));
    assertThat(issuer.issue(coupon, "c")).isEqualTo(SOLD_OUT);
  }

  @Test
  void listenerHearsEveryOutcomeAndResolution() throws Exception {
    List<String> heard = new CopyOnWriteArrayList<>();
    IssuanceListener listener =
        new IssuanceListener() {
          @Override
          public void onOutcome(long id, String userId, IssueOutcome outcome, Duration elapsed) {
            assertThat(elapsed.isNegative()).isFalse();
            heard.add(id + " " + userId + " " + outcome);
          }

          @Override
          public void onResolved(long id, Resolution resolution, long reservations) {
            heard.add(id + " " + resolution + " " + reservations);
          }

          @Override
          public void onRebuilt(long id) {
            heard.add(id + " rebuilt");
          }
        };
    Stockproof issuer =
        stores.keep(
            Stockproof.issuer(stores.endpoints.dataSource(), stores.redisClient)
                .background(false)
                .listener(listener)
                .build());
    issuer.coupons().open(Stores.spec(coupon, 1));
    issuer.issue(coupon, "a");
    issuer.resolve();
    issuer.issueAsync(coupon, "b").toCompletableFuture().get();
    issuer.issue(coupon, "c");
    stores.redis.del(Stores.key(coupon, "users"));
    issuer.coupons().reconcile(coupon);
    assertThat(heard)
        .containsExactly(
            coupon + " rebuilt",
            coupon + " a ISSUED",
            coupon + " CONFIRMED 1",
            coupon + " b SOLD_OUT",
            coupon + " c SOLD_OUT",
            coupon + " rebuilt");
  }

  @Test
  void whatAListenerThrowsIsLoggedAndChangesNothing() {
    IssuanceListener broken =
        new IssuanceListener() {
          @Override
          public void onOutcome(long id, String userId, IssueOutcome outcome, Duration elapsed) {
            throw new IllegalStateException("broken on purpose");
          }
        };
    try (LogOf log = new LogOf(IssuanceListener.class)) {
      Stockproof issuer =
          stores.keep(
              Stockproof.issuer(stores.endpoints.dataSource(), stores.redisClient)
                  .listener(broken)
                  .build());
      issuer.coupons().open(Stores.spec(coupon, 2));
      assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
      assertThat(issuer.issueAsync(coupon, "b").toCompletableFuture().join()).isEqualTo(ISSUED);
      assertThat(log.lines()).contains("event=listener-failed");
    }
  }

  @Test
  void optionsOutsideTheirRangeAreRefusedByName() {
    Stockproof.Builder builder =
        Stockproof.issuer(stores.endpoints.dataSource(), stores.redisClient);
    assertThatThrownBy(() -> builder.breakAfter(-1))
        .hasMessage("breakAfter must be 0 to 1000, was -1");
    assertThatThrownBy(() -> builder.breakFor(Duration.ZERO))
        .hasMessage("breakFor must be PT0.01S to PT1M, was PT0S");
    assertThatThrownBy(() -> builder.fallThrough(1001))
        .hasMessage("fallThrough must be 0 to 1000, was 1001");
  }

  @Test
  void closedIssuerRefusesAndEndsItsThreads() {
    Stockproof issuer =
        Stockproof.issuer(stores.endpoints.dataSource(), stores.redisClient).build();
    issuer.coupons().open(Stores.spec(coupon, 1));
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    issuer.close();
    issuer.close();
    assertThatThrownBy(() -> issuer.issue(coupon, "b")).isInstanceOf(IllegalStateException.class);
    await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(
                        name ->
                            name.startsWith("stockproof-ledger")
                                || name.startsWith("stockproof-re")
                                || name.startsWith("stockproof-timer")));
    assertThat(stores.manual().coupons().audit(coupon).balanced()).isTrue();
  }

  @Test
  void killedConnectionIsUnavailableOrUnknownButNeverLosesAUnit() throws Exception {
    HikariDataSource pool = stores.pool(2, Duration.ofSeconds(1), "");
    Stockproof issuer = stores.keep(Stockproof.issuer(pool, stores.redisClient).build());
    issuer.coupons().open(Stores.spec(coupon, 1));
    long killed = 0;
    try (Connection one = pool.getConnection()) {
      try (var rows = one.createStatement().executeQuery("SELECT CONNECTION_ID()")) {
        rows.next();
        killed = rows.getLong(1);
      }
    }
    stores.sql("KILL " + killed);
    assertThat(issuer.issue(coupon, "a")).isIn(ISSUED, UNAVAILABLE, UNKNOWN);
    await().untilAsserted(() -> assertThat(issuer.issue(coupon, "a")).isIn(ISSUED, DUPLICATE));
    awaitBalance(issuer, coupon);
  }
}
