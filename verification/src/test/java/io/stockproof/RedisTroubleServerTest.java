package io.stockproof;

import static io.stockproof.IssueOutcome.DUPLICATE;
import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.IssueOutcome.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.stockproof.IssuanceListener.Circuit;
import io.stockproof.verification.environment.OwnRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is told, and what stays written, while Redis is in trouble and after it. */
@Timeout(120)
class RedisTroubleServerTest {

  private final Stores stores = new Stores();
  private final OwnGate gate =
      stores.keep(
          new OwnGate(
              "--key-load-delay", "20000", "--loading-process-events-interval-bytes", "1024"));
  private final long coupon = Stores.newCoupon();

  @AfterEach
  void closeStores() throws Exception {
    stores.close();
  }

  private Stockproof manual() {
    return stores.keep(gate.issuer(stores.endpoints.dataSource()).build());
  }

  /** One unit of this many is issued and confirmed. */
  private Stockproof opened(long total) {
    Stockproof issuer = manual();
    issuer.coupons().open(Stores.spec(coupon, total));
    assertThat(issuer.issue(coupon, "first")).isEqualTo(ISSUED);
    issuer.resolve();
    return issuer;
  }

  /** Nothing but UNAVAILABLE, until it is issued; meanwhile background work is tried, too. */
  private void resumes(Stockproof issuer, String user) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              IssueOutcome outcome = issuer.issue(coupon, user);
              assertThat(outcome).isIn(ISSUED, UNAVAILABLE);
              try {
                issuer.resolve();
              } catch (StoreUnavailableException e) {
                assertThat(outcome).isEqualTo(UNAVAILABLE);
              }
              return outcome == ISSUED;
            });
  }

  private void atRest(Stockproof issuer, long rows) {
    issuer.reconcile();
    issuer.reconcile();
    assertThat(issuer.coupons().audit(coupon).differences()).isEmpty();
    assertThat(stores.rows(coupon)).isEqualTo(rows);
  }

  @Test
  void restartWithoutDataIsUnavailableAndThenGoesOn() {
    Stockproof issuer = opened(3);
    gate.server.kill();
    assertThat(issuer.issue(coupon, "a")).isEqualTo(UNAVAILABLE);
    gate.server.startAgain();
    gate.server.awaitAnswers();
    resumes(issuer, "a");
    assertThat(issuer.issue(coupon, "first")).isEqualTo(DUPLICATE);
    atRest(issuer, 2);
  }

  @Test
  void instancesThatAllFoundItMissingMakeItAnewOnce() {
    Stockproof one = opened(3);
    Stockproof two = manual();
    try (var connection = gate.connect()) {
      connection.redis.flushall();
    }
    assertThat(one.issue(coupon, "a")).isEqualTo(UNAVAILABLE);
    assertThat(two.issue(coupon, "b")).isEqualTo(UNAVAILABLE);
    one.resolve();
    long epoch = stores.number("SELECT epoch FROM coupon WHERE id = ?", coupon);
    two.resolve();
    assertThat(stores.number("SELECT epoch FROM coupon WHERE id = ?", coupon)).isEqualTo(epoch);
    assertThat(two.issue(coupon, "b")).isEqualTo(ISSUED);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4})
  void everyoneIsServedAcrossARestartUnderTraffic(int permits) throws Exception {
    int users = 40;
    List<Stockproof> issuers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      issuers.add(
          stores.keep(
              gate.issuer(stores.endpoints.dataSource())
                  .background(true)
                  .reservationTimeout(Duration.ofMillis(500))
                  .reconcilePeriod(Duration.ofMillis(100))
                  .breakFor(Duration.ofMillis(50))
                  .fallThrough(permits)
                  .build()));
    }
    issuers.get(0).coupons().open(Stores.spec(coupon, users));
    Set<IssueOutcome> told = ConcurrentHashMap.newKeySet();
    AtomicInteger served = new AtomicInteger();
    ExecutorService callers = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> calls = new ArrayList<>();
      for (int user = 0; user < users; user++) {
        Stockproof issuer = issuers.get(user % 2);
        String name = "u" + user;
        calls.add(
            callers.submit(
                () -> {
                  await()
                      .atMost(Duration.ofSeconds(60))
                      .pollDelay(Duration.ZERO)
                      .until(
                          () -> {
                            IssueOutcome outcome = issuer.issue(coupon, name);
                            told.add(outcome);
                            return outcome == ISSUED || outcome == DUPLICATE;
                          });
                  served.incrementAndGet();
                }));
      }
      await().until(() -> served.get() >= users / 4);
      gate.server.kill();
      gate.server.startAgain();
      for (Future<?> call : calls) {
        call.get(60, TimeUnit.SECONDS);
      }
    } finally {
      callers.shutdownNow();
    }
    assertThat(told).doesNotContain(SOLD_OUT, IssueOutcome.NOT_OPEN);
    assertThat(stores.rows(coupon)).isEqualTo(users);
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreException(StoreUnavailableException.class)
        .untilAsserted(
            () -> assertThat(issuers.get(0).coupons().audit(coupon).differences()).isEmpty());
  }

  private void refusing(
      Consumer<RedisCommands<String, String>> hurt, Consumer<RedisCommands<String, String>> heal) {
    Stockproof issuer = opened(3);
    Audit before = issuer.coupons().audit(coupon);
    try (var connection = gate.connect()) {
      hurt.accept(connection.redis);
      assertThat(issuer.issue(coupon, "a")).isEqualTo(UNAVAILABLE);
      assertThat(issuer.issue(coupon, "a")).isEqualTo(UNAVAILABLE);
      assertThat(issuer.coupons().audit(coupon)).as("nothing was written").isEqualTo(before);
      heal.accept(connection.redis);
    }
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    atRest(issuer, 2);
  }

  @Test
  void READONLY_isUnavailable() {
    refusing(redis -> redis.replicaof("127.0.0.1", 1), RedisCommands::replicaofNoOne);
  }

  @Test
  void OOM_isUnavailable() {
    refusing(
        redis -> redis.configSet("maxmemory", "1"), redis -> redis.configSet("maxmemory", "0"));
  }

  @Test
  void NOREPLICAS_isUnavailable() {
    refusing(
        redis -> redis.configSet("min-replicas-to-write", "1"),
        redis -> redis.configSet("min-replicas-to-write", "0"));
  }

  @Test
  void fullServerStillTakesReservationsBackAndConfirms() {
    Stockproof issuer = opened(4);
    assertThat(issuer.issue(coupon, "late")).isEqualTo(ISSUED);
    try (var connection = gate.connect()) {
      // As left by an owner that died: reserved under the epoch of the gate, and no row.
      String epoch = connection.redis.hget(Stores.key(coupon, "meta"), "epoch");
      connection.redis.hset(Stores.key(coupon, "pending"), "dead", "t " + epoch + " 1");
      connection.redis.sadd(Stores.key(coupon, "users"), "dead");
      connection.redis.set(Stores.key(coupon, "stock"), "1");
      connection.redis.configSet("maxmemory", "1");
      issuer.reconcile();
      assertThat(issuer.coupons().audit(coupon).differences()).isEmpty();
      connection.redis.configSet("maxmemory", "0");
    }
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    atRest(issuer, 3);
  }

  @Test
  void BUSY_slowScriptIsUnavailableAndNothingIsLost() {
    Stockproof issuer = opened(3);
    try (var connection = gate.connect();
        var slow = gate.connect()) {
      connection.redis.configSet("busy-reply-threshold", "50");
      var script = slow.connection.async().eval("while true do end", ScriptOutputType.STATUS);
      await().until(() -> answers(connection.redis, RedisBusyException.class));
      assertThat(issuer.issue(coupon, "a")).isEqualTo(UNAVAILABLE);
      connection.redis.scriptKill();
      await().until(script::isDone);
    }
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    atRest(issuer, 2);
  }

  private static boolean answers(
      RedisCommands<String, String> redis, Class<? extends RedisException> error) {
    try {
      redis.ping();
      return false;
    } catch (RedisException e) {
      return error.isInstance(e);
    }
  }

  @Test
  void LOADING_isUnavailableAndTheKeysThatComeBackAreUsed() {
    Stockproof issuer = opened(3);
    try (var connection = gate.connect()) {
      SplittableRandom random = new SplittableRandom(7);
      for (int i = 0; i < 200; i++) {
        connection.redis.set("filler" + i, Long.toHexString(random.nextLong()).repeat(64));
      }
      connection.redis.save();
    }
    gate.server.kill();
    gate.server.startAgain();
    await().until(() -> says(RedisLoadingException.class));
    assertThat(issuer.issue(coupon, "a")).isEqualTo(UNAVAILABLE);
    assertThat(says(RedisLoadingException.class)).as("still loading").isTrue();
    gate.server.awaitAnswers();
    resumes(issuer, "a");
    atRest(issuer, 2);
  }

  /** Whether the server answers a new connection with this error. */
  private boolean says(Class<? extends RedisException> error) {
    try (var connection = gate.connect()) {
      return answers(connection.redis, error);
    } catch (RedisException e) {
      return false;
    }
  }

  /** The client finds a replica that was cut off before the last writes. */
  private void failOver(OwnRedis replica) {
    gate.address.setPort(replica.port());
    gate.server.kill();
  }

  private OwnRedis replica() {
    OwnRedis replica = stores.keep(OwnRedis.start());
    try (var connection = OwnGate.connect(replica)) {
      connection.redis.replicaof("127.0.0.1", gate.server.port());
      await()
          .until(
              () ->
                  connection.redis.info("replication").contains("master_link_status:up")
                      && connection.redis.sismember(Stores.key(coupon, "users"), "first"));
      connection.redis.replicaofNoOne();
    }
    return replica;
  }

  @Test
  void failoverThatLostWritesOversellsNothing() {
    Stockproof issuer = opened(3);
    OwnRedis replica = replica();
    assertThat(issuer.issue(coupon, "lost")).isEqualTo(ISSUED);
    issuer.resolve();
    failOver(replica);
    resumes(issuer, "a");
    // The gate has one unit left that the ledger has not.
    assertThat(issuer.issue(coupon, "b")).isEqualTo(SOLD_OUT);
    assertThat(issuer.issue(coupon, "lost")).isIn(DUPLICATE, SOLD_OUT);
    atRest(issuer, 3);
    assertThat(issuer.issue(coupon, "lost")).isEqualTo(DUPLICATE);
  }

  @Test
  void failoverThatLostWritesIsNoticedWithoutTraffic() {
    Stockproof issuer = opened(3);
    OwnRedis replica = replica();
    assertThat(issuer.issue(coupon, "lost")).isEqualTo(ISSUED);
    issuer.resolve();
    failOver(replica);
    await()
        .ignoreException(StoreUnavailableException.class)
        .until(() -> issuer.coupons().audit(coupon).gateUsers() == 1);
    issuer.coupons().reconcile(coupon);
    issuer.coupons().reconcile(coupon);
    assertThat(issuer.coupons().audit(coupon).differences()).isEmpty();
  }

  @Test
  void frozenServerIsAskedByOneRequestAtATimeUntilItAnswers() {
    List<Circuit> changes = new CopyOnWriteArrayList<>();
    IssuanceListener listener =
        new IssuanceListener() {
          @Override
          public void onCircuit(Circuit state) {
            changes.add(state);
          }
        };
    Stockproof issuer =
        stores.keep(
            gate.issuer(stores.endpoints.dataSource())
                .breakAfter(2)
                .breakFor(Duration.ofMinutes(1))
                .listener(listener)
                .build());
    manual().coupons().open(Stores.spec(coupon, 3));
    gate.server.freeze();
    for (int i = 0; i < 20; i++) {
      assertThat(issuer.issue(coupon, "u" + i)).isEqualTo(UNAVAILABLE);
    }
    assertThat(gate.acquires).as("those that queued for an answer").hasValue(2);

    gate.later(Duration.ofMinutes(1));
    for (int i = 0; i < 20; i++) {
      assertThat(issuer.issue(coupon, "u" + i)).isEqualTo(UNAVAILABLE);
    }
    assertThat(gate.acquires).as("and one that asked for all").hasValue(3);

    gate.server.thaw();
    gate.server.awaitAnswers();
    gate.later(Duration.ofMinutes(1));
    // The late acquires of those who left are followed by their releases.
    issuer.resolve();
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    assertThat(changes)
        .containsExactly(
            Circuit.OPEN, Circuit.HALF_OPEN, Circuit.OPEN, Circuit.HALF_OPEN, Circuit.CLOSED);
    atRest(issuer, 1);
  }
}
