package io.stockproof;

import static io.stockproof.IssueOutcome.DUPLICATE;
import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.NOT_OPEN;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.IssueOutcome.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.stockproof.ledger.CommitPermit;
import io.stockproof.ledger.Deadline;
import io.stockproof.ledger.JdbcLedger;
import io.stockproof.ledger.LedgerSchema;
import io.stockproof.ledger.Recorded;
import io.stockproof.ledger.Reservation;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that go to the ledger directly, because the gate does not answer or is missing. */
@Timeout(120)
class FallThroughServerTest {

  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final Stores stores = new Stores();
  private final OwnGate gate = stores.keep(new OwnGate());
  private final long coupon = Stores.newCoupon();
  private final Stockproof issuer =
      stores.keep(
          gate.issuer(stores.endpoints.dataSource())
              .breakAfter(1)
              .breakFor(PAUSE)
              .fallThrough(2)
              .build());

  @AfterEach
  void closeStores() throws Exception {
    stores.close();
  }

  /** The one that notices waits in vain; those after it do not wait. */
  private void gateStopsAnswering() {
    gate.server.freeze();
    assertThat(issuer.issue(coupon, "notices")).isEqualTo(UNAVAILABLE);
  }

  private void gateAnswersAgain() {
    gate.server.thaw();
    gate.server.awaitAnswers();
    gate.later(PAUSE);
  }

  private void atRest(long rows) {
    issuer.reconcile();
    issuer.reconcile();
    assertThat(issuer.coupons().audit(coupon).differences()).isEmpty();
    assertThat(stores.rows(coupon)).isEqualTo(rows);
  }

  @Test
  void frozenGateIsPassedByAndToldAfterwards() {
    issuer.coupons().open(Stores.spec(coupon, 3));
    assertThat(issuer.issue(coupon, "before")).isEqualTo(ISSUED);
    gateStopsAnswering();
    assertThat(issuer.issue(coupon, "before")).isEqualTo(DUPLICATE);
    assertThat(issuer.issue(coupon, "notices")).isEqualTo(ISSUED);
    assertThat(issuer.issue(coupon, "notices")).isEqualTo(DUPLICATE);
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    assertThat(issuer.issue(coupon, "b")).isEqualTo(SOLD_OUT);
    gateAnswersAgain();
    issuer.resolve();
    assertThat(issuer.coupons().audit(coupon).differences()).isEmpty();
    assertThat(issuer.issue(coupon, "b")).isEqualTo(SOLD_OUT);
    assertThat(issuer.issue(coupon, "notices")).isEqualTo(DUPLICATE);
    atRest(3);
  }

  @Test
  void lostGateIsPassedByUntilItIsMadeAnew() {
    issuer.coupons().open(Stores.spec(coupon, 3));
    gate.server.kill();
    assertThat(issuer.issue(coupon, "notices")).isEqualTo(UNAVAILABLE);
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    gate.server.startAgain();
    gate.server.awaitAnswers();
    gate.later(PAUSE);
    await().until(() -> issuer.issue(coupon, "b") == ISSUED);
    assertThat(issuer.issue(coupon, "a")).as("no key is there yet").isEqualTo(DUPLICATE);
    await()
        .ignoreException(StoreUnavailableException.class)
        .untilAsserted(
            () -> {
              issuer.resolve();
              assertThat(issuer.coupons().audit(coupon).differences()).isEmpty();
            });
    assertThat(issuer.issue(coupon, "c")).isEqualTo(ISSUED);
    assertThat(issuer.issue(coupon, "d")).isEqualTo(SOLD_OUT);
    atRest(3);
  }

  @Test
  void gateThatRefusesToWriteIsPassedByAtOnce() {
    issuer.coupons().open(Stores.spec(coupon, 3));
    try (var connection = gate.connect()) {
      connection.redis.configSet("maxmemory", "1");
      assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
      assertThat(issuer.issue(coupon, "a")).isEqualTo(DUPLICATE);
      connection.redis.configSet("maxmemory", "0");
    }
    issuer.resolve();
    assertThat(issuer.coupons().audit(coupon).differences()).isEmpty();
    atRest(1);
  }

  @Test
  void windowAndEndOfSaleAreTheLedgers() {
    Instant now = Instant.now();
    issuer.coupons().open(Stores.spec(coupon, 3));
    assertThat(issuer.issue(coupon, "before")).isEqualTo(ISSUED);
    issuer.coupons().close(coupon);
    long early = Stores.newCoupon();
    issuer.coupons().open(new CouponSpec(early, 3, now.plusSeconds(600), now.plusSeconds(900)));
    long late = Stores.newCoupon();
    issuer.coupons().open(new CouponSpec(late, 3, now.minusSeconds(900), now.minusSeconds(600)));
    gateStopsAnswering();
    assertThat(issuer.issue(coupon, "a")).isEqualTo(NOT_OPEN);
    assertThat(issuer.issue(coupon, "before")).isEqualTo(DUPLICATE);
    assertThat(issuer.issue(early, "a")).isEqualTo(NOT_OPEN);
    assertThat(issuer.issue(late, "a")).isEqualTo(NOT_OPEN);
    assertThat(issuer.issue(Stores.newCoupon(), "a")).isEqualTo(NOT_OPEN);
    assertThat(stores.rows(coupon) + stores.rows(early) + stores.rows(late)).isEqualTo(1);
  }

  @Test
  void thoseBeyondThePermitsAreUnavailableWhileTheOthersStillWait() throws Exception {
    issuer.coupons().open(Stores.spec(coupon, 3));
    Stockproof patient =
        stores.keep(
            gate.issuer(stores.endpoints.dataSource())
                .breakAfter(1)
                .breakFor(PAUSE)
                .fallThrough(2)
                .timeout(Duration.ofSeconds(20))
                .build());
    CompletableFuture<IssueOutcome> one;
    CompletableFuture<IssueOutcome> two;
    try (var connection = gate.connect();
        Connection holder = stores.connection()) {
      connection.redis.del(Stores.key(coupon, "stock"));
      holder.setAutoCommit(false);
      holder
          .createStatement()
          .executeQuery("SELECT id FROM coupon WHERE id = " + coupon + " FOR UPDATE");
      one = CompletableFuture.supplyAsync(() -> patient.issue(coupon, "a"));
      two = CompletableFuture.supplyAsync(() -> patient.issue(coupon, "b"));
      await().until(() -> waitingForTheRow() == 2);
      assertThat(patient.issue(coupon, "c")).isEqualTo(UNAVAILABLE);
      assertThat(one).isNotDone();
      assertThat(two).isNotDone();
      holder.rollback();
    }
    assertThat(one.get()).isEqualTo(ISSUED);
    assertThat(two.get()).isEqualTo(ISSUED);
    assertThat(patient.issue(coupon, "c")).as("permits came back").isEqualTo(ISSUED);
    // The rows are told to the gate once it is made anew.
    await()
        .ignoreException(StoreUnavailableException.class)
        .untilAsserted(
            () -> {
              patient.resolve();
              assertThat(patient.coupons().audit(coupon).differences()).isEmpty();
            });
    atRest(3);
  }

  private long waitingForTheRow() {
    return stores.number(
        "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'");
  }

  @Test
  void rowWrittenBesideARebuildIsToldOnceTheGateIsBack() {
    issuer.coupons().open(Stores.spec(coupon, 3));
    gateStopsAnswering();
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    gateAnswersAgain();
    try (var connection = gate.connect()) {
      String meta = Stores.key(coupon, "meta");
      connection.redis.hset(meta, "state", "REBUILDING");
      connection.redis.hset(meta, "lease", "9999999999999");
      // It may have read the rows before this one was there.
      assertThatThrownBy(issuer::resolve).isInstanceOf(StoreUnavailableException.class);
      connection.redis.hset(meta, "state", "OPEN");
      issuer.resolve();
      assertThat(connection.redis.sismember(Stores.key(coupon, "users"), "a")).isTrue();
    }
    reservationsGrowTooOld();
    atRest(1);
  }

  /**
   * The frozen gate made a reservation for the one that noticed, and its release met a gate that
   * was being rebuilt, which forgets reservations; here nobody rebuilt it.
   */
  private void reservationsGrowTooOld() {
    try (Stockproof impatient =
        gate.issuer(stores.endpoints.dataSource()).reservationTimeout(Duration.ZERO).build()) {
      impatient.coupons().reconcile(coupon);
    }
  }

  @Test
  void reservationOfAnotherRequestOfTheSameUserEndsAsDuplicate() {
    issuer.coupons().open(Stores.spec(coupon, 3));
    long epoch = stores.number("SELECT epoch FROM coupon WHERE id = ?", coupon);
    gateStopsAnswering();
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    JdbcLedger ledger =
        new JdbcLedger(
            stores.endpoints.dataSource(), LedgerSchema.defaults(), new SplittableRandom(1));
    CommitPermit always =
        new CommitPermit() {
          @Override
          public boolean begin() {
            return true;
          }

          @Override
          public void aborted() {}
        };
    assertThat(
            ledger
                .record(
                    new Reservation(coupon, "a", "earlier", epoch),
                    Deadline.in(Duration.ofSeconds(5), System::nanoTime),
                    always)
                .result())
        .isEqualTo(Recorded.Result.ALREADY_RECORDED);
    gateAnswersAgain();
    atRest(1);
  }

  @Test
  void withoutPermitsAnOpenCircuitIsUnavailable() {
    Stockproof strict =
        stores.keep(
            gate.issuer(stores.endpoints.dataSource()).breakAfter(1).breakFor(PAUSE).build());
    strict.coupons().open(Stores.spec(coupon, 3));
    gate.server.freeze();
    assertThat(strict.issue(coupon, "a")).isEqualTo(UNAVAILABLE);
    assertThat(strict.issue(coupon, "a")).isEqualTo(UNAVAILABLE);
    assertThat(stores.rows(coupon)).isZero();
  }
}
