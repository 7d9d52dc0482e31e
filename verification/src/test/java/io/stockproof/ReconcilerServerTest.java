package io.stockproof;

import static io.stockproof.IssueOutcome.DUPLICATE;
import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.IssueOutcome.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.stockproof.gate.Admission;
import io.stockproof.gate.RedisScripts;
import io.stockproof.gate.RedisStockGate;
import io.stockproof.gate.Replies;
import io.stockproof.gate.StockGate;
import io.stockproof.ledger.CommitPermit;
import io.stockproof.ledger.Deadline;
import io.stockproof.ledger.JdbcLedger;
import io.stockproof.ledger.LedgerSchema;
import io.stockproof.ledger.Recorded;
import io.stockproof.ledger.Reservation;
import io.stockproof.recovery.Reconciler;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An instance that dies is played by gate and ledger alone: they do one step and no more. */
@Timeout(60)
class ReconcilerServerTest {

  private final Stores stores = new Stores();
  private final StockGate gate =
      stores.keep(
          new RedisStockGate(RedisScripts.standalone(stores.redisClient), Duration.ofSeconds(10)));
  private final JdbcLedger ledger =
      new JdbcLedger(
          stores.endpoints.dataSource(), LedgerSchema.defaults(), new SplittableRandom(1));
  private final long coupon = Stores.newCoupon();

  @AfterEach
  void closeStores() throws Exception {
    stores.close();
  }

  private Stockproof impatient() {
    return stores.keep(
        Stockproof.issuer(stores.endpoints.dataSource(), stores.redisClient)
            .background(false)
            .reservationTimeout(Duration.ZERO)
            .build());
  }

  private long acquire(String user, String token) {
    Admission admission = Replies.await(gate.acquire(coupon, user, token), 5_000_000_000L);
    assertThat(admission.answer()).isEqualTo(Admission.Answer.ACQUIRED);
    return admission.epoch();
  }

  private Recorded.Result record(String user, String token, long epoch) {
    CommitPermit always =
        new CommitPermit() {
          @Override
          public boolean begin() {
            return true;
          }

          @Override
          public void aborted() {}
        };
    return ledger
        .record(
            new Reservation(coupon, user, token, epoch),
            Deadline.in(Duration.ofSeconds(5), System::nanoTime),
            always)
        .result();
  }

  @Test
  void reservationOfADeadOwnerWithoutARowIsReleased() {
    Stockproof issuer = impatient();
    issuer.coupons().open(Stores.spec(coupon, 1));
    acquire("dead", "t");
    assertThat(issuer.issue(coupon, "a")).isEqualTo(SOLD_OUT);
    issuer.reconcile();
    assertThat(issuer.coupons().audit(coupon).balanced()).isTrue();
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
  }

  @Test
  void reservationOfADeadOwnerWithARowIsConfirmed() {
    Stockproof issuer = impatient();
    issuer.coupons().open(Stores.spec(coupon, 2));
    long epoch = acquire("dead", "t");
    assertThat(record("dead", "t", epoch)).isEqualTo(Recorded.Result.ISSUED);
    assertThat(issuer.issue(coupon, "dead")).isEqualTo(UNAVAILABLE);
    issuer.reconcile();
    assertThat(issuer.coupons().audit(coupon).balanced()).isTrue();
    assertThat(issuer.issue(coupon, "dead")).isEqualTo(DUPLICATE);
  }

  @Test
  void K03_ownerThatStalledPastItsReservationIsFenced() {
    Stockproof issuer = impatient();
    issuer.coupons().open(Stores.spec(coupon, 1));
    long epoch = acquire("slow", "t");
    issuer.coupons().reconcile(coupon);
    assertThat(issuer.issue(coupon, "b")).isEqualTo(ISSUED);
    assertThat(record("slow", "t", epoch)).isEqualTo(Recorded.Result.FENCED);
    issuer.reconcile();
    assertThat(issuer.coupons().audit(coupon).balanced()).isTrue();
  }

  @Test
  void youngReservationsAreLeftAlone() {
    Stockproof issuer = stores.manual();
    issuer.coupons().open(Stores.spec(coupon, 1));
    long epoch = acquire("a", "t");
    issuer.coupons().reconcile(coupon);
    assertThat(record("a", "t", epoch)).isEqualTo(Recorded.Result.ISSUED);
  }

  @Test
  void gateThatIsTooGenerousIsRebuiltAfterTheSecondLook() {
    Stockproof issuer = impatient();
    issuer.coupons().open(Stores.spec(coupon, 3));
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    issuer.reconcile();
    // As after a failover that lost the last writes.
    stores.redis.srem(Stores.key(coupon, "users"), "a");
    stores.redis.set(Stores.key(coupon, "stock"), "3");
    issuer.coupons().reconcile(coupon);
    assertThat(stores.gateStock(coupon)).isEqualTo("3");
    issuer.coupons().reconcile(coupon);
    assertThat(issuer.coupons().audit(coupon).balanced()).isTrue();
  }

  @Test
  void threadsBringALostGateAndADeadOwnerToRestUnasked() {
    Stockproof issuer =
        stores.keep(
            Stockproof.issuer(stores.endpoints.dataSource(), stores.redisClient)
                .reservationTimeout(Duration.ofMillis(300))
                .reconcilePeriod(Duration.ofMillis(100))
                .build());
    issuer.coupons().open(Stores.spec(coupon, 2));
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    acquire("dead", "t");
    await().untilAsserted(() -> assertThat(issuer.coupons().audit(coupon).balanced()).isTrue());
    stores.redis.del(Stores.key(coupon, "users"));
    await().untilAsserted(() -> assertThat(issuer.coupons().audit(coupon).balanced()).isTrue());
  }

  @Test
  void gateThatLostTheNewerEpochIsRebuiltAfterTheSecondLook() {
    Stockproof issuer = impatient();
    issuer.coupons().open(Stores.spec(coupon, 3));
    // As after a failover that lost what a reconciler wrote last.
    stores.sql("UPDATE coupon SET epoch = epoch + 1 WHERE id = ?", coupon);
    issuer.coupons().reconcile(coupon);
    issuer.coupons().reconcile(coupon);
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
  }

  @Test
  void gateThatLostTheEndOfTheSaleIsRebuiltAfterTheSecondLook() {
    Stockproof issuer = impatient();
    issuer.coupons().open(Stores.spec(coupon, 3));
    stores.sql("UPDATE coupon SET status = 'CLOSED' WHERE id = ?", coupon);
    issuer.coupons().reconcile(coupon);
    issuer.coupons().reconcile(coupon);
    assertThat(stores.redis.hget(Stores.key(coupon, "meta"), "state")).isEqualTo("CLOSED");
  }

  @Test
  void newInstanceSaysWhatItFindsInALineEachAndBringsItToRest() {
    Stockproof before = stores.manual();
    long lost = Stores.newCoupon();
    long behind = Stores.newCoupon();
    for (long each : new long[] {coupon, lost, behind}) {
      before.coupons().open(Stores.spec(each, 2));
    }
    acquire("dead", "t");
    stores.redis.del(Stores.key(lost, "users"));
    stores.sql("UPDATE coupon SET epoch = epoch + 1 WHERE id = ?", behind);

    try (LogOf log = new LogOf(Reconciler.class)) {
      Stockproof started =
          stores.keep(
              Stockproof.issuer(stores.endpoints.dataSource(), stores.redisClient)
                  .reservationTimeout(Duration.ofMillis(300))
                  .reconcilePeriod(Duration.ofMillis(100))
                  .build());
      await()
          .untilAsserted(
              () -> {
                assertThat(started.coupons().audit(coupon).differences()).isEmpty();
                assertThat(started.coupons().audit(lost).differences()).isEmpty();
                assertThat(stores.redis.hget(Stores.key(behind, "meta"), "epoch"))
                    .isEqualTo(
                        Long.toString(
                            stores.number("SELECT epoch FROM coupon WHERE id = ?", behind)));
              });
      assertThat(log.lines())
          .filteredOn(line -> line.startsWith("event=found-at-start"))
          .satisfiesExactlyInAnyOrder(
              line -> assertThat(line).contains("coupon=" + coupon + " reservations=1"),
              line -> assertThat(line).contains("coupon=" + lost + " gate=MISSING"),
              line -> assertThat(line).contains("coupon=" + behind + " gateEpoch=1 ledgerEpoch=2"));
    }
    assertThat(before.issue(coupon, "a")).isEqualTo(ISSUED);
    assertThat(before.issue(lost, "a")).isEqualTo(ISSUED);
    assertThat(before.issue(behind, "a")).isEqualTo(ISSUED);
  }

  @Test
  void repairSetsAWrongCounterToItsRows() {
    Stockproof issuer = impatient();
    issuer.coupons().open(Stores.spec(coupon, 3));
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    issuer.reconcile();
    stores.sql("UPDATE coupon SET issued = 3 WHERE id = ?", coupon);
    assertThat(issuer.coupons().audit(coupon).balanced()).isFalse();
    assertThat(issuer.coupons().repair(coupon)).isTrue();
    assertThat(issuer.coupons().repair(coupon)).isFalse();
    assertThat(issuer.coupons().audit(coupon).balanced()).isTrue();
  }
}
