package io.stockproof;

import static io.stockproof.IssueOutcome.DUPLICATE;
import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.NOT_OPEN;
import static io.stockproof.IssueOutcome.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CouponsServerTest {

  private final Stores stores = new Stores();
  private final Stockproof issuer = stores.manual();
  private final Coupons coupons = issuer.coupons();
  private final long coupon = Stores.newCoupon();

  @AfterEach
  void closeStores() throws Exception {
    stores.close();
  }

  @Test
  void G25_openingAgainChangesNothing() {
    CouponSpec spec = Stores.spec(coupon, 100);
    coupons.open(spec);
    for (int i = 0; i < 40; i++) {
      assertThat(issuer.issue(coupon, "u" + i)).isEqualTo(ISSUED);
    }
    issuer.reconcile();
    Audit before = coupons.audit(coupon);
    coupons.open(spec);
    assertThat(coupons.audit(coupon)).isEqualTo(before);
    assertThat(before.gateStock()).isEqualTo(60);
  }

  @Test
  void G25_openingWithOtherNumbersIsRefused() {
    CouponSpec spec = Stores.spec(coupon, 100);
    coupons.open(spec);
    CouponSpec other = new CouponSpec(coupon, 101, spec.opensAt(), spec.closesAt());
    CouponSpec later = new CouponSpec(coupon, 100, spec.opensAt(), spec.closesAt().plusSeconds(1));
    for (CouponSpec refused : List.of(other, later)) {
      assertThatThrownBy(() -> coupons.open(refused))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("exists with total 100");
    }
    assertThat(coupons.audit(coupon).total()).isEqualTo(100);
  }

  @Test
  void openedInParallelByTwoInstancesItIsOpenedOnce() throws Exception {
    Stockproof other = stores.manual();
    CouponSpec spec = Stores.spec(coupon, 10);
    ExecutorService pool = Executors.newFixedThreadPool(6);
    try {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        Coupons by = i % 2 == 0 ? coupons : other.coupons();
        calls.add(pool.submit(() -> by.open(spec)));
      }
      for (Future<?> call : calls) {
        call.get(20, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    issuer.reconcile();
    assertThat(coupons.audit(coupon).balanced()).isTrue();
  }

  @Test
  void closedCouponIsNotOpenAndStaysClosed() {
    coupons.open(Stores.spec(coupon, 10));
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
    issuer.reconcile();
    coupons.close(coupon);
    coupons.close(coupon);
    assertThat(issuer.issue(coupon, "b")).isEqualTo(NOT_OPEN);
    assertThat(issuer.issue(coupon, "a")).isEqualTo(DUPLICATE);
    assertThatThrownBy(() -> coupons.open(Stores.spec(coupon, 10)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is closed");
    coupons.rebuild(coupon);
    assertThat(issuer.issue(coupon, "b")).isEqualTo(NOT_OPEN);
    assertThat(stores.rows(coupon)).isEqualTo(1);
  }

  @Test
  void closedInTheLedgerOnlyTheReservationIsGivenBack() {
    coupons.open(Stores.spec(coupon, 10));
    stores.sql("UPDATE coupon SET status = 'CLOSED' WHERE id = ?", coupon);
    assertThat(issuer.issue(coupon, "a")).isEqualTo(NOT_OPEN);
    assertThat(coupons.audit(coupon).balanced()).isTrue();
  }

  @Test
  void holdsReadsTheRow() {
    coupons.open(Stores.spec(coupon, 10));
    issuer.issue(coupon, "Ab");
    assertThat(coupons.holds(coupon, "Ab")).isTrue();
    assertThat(coupons.holds(coupon, "ab")).isFalse();
    assertThatThrownBy(() -> coupons.holds(coupon, "a b"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void D21_usersThatDifferInCaseEachGetAUnit() {
    coupons.open(Stores.spec(coupon, 10));
    assertThat(issuer.issue(coupon, "Ab")).isEqualTo(ISSUED);
    assertThat(issuer.issue(coupon, "ab")).isEqualTo(ISSUED);
    issuer.reconcile();
    assertThat(coupons.audit(coupon).balanced()).isTrue();
  }

  @Test
  void unknownCouponIsAnArgumentErrorAndLeavesNoKeys() {
    assertThatThrownBy(() -> coupons.audit(coupon)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> coupons.close(coupon)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> coupons.rebuild(coupon))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no coupon " + coupon);
    assertThat(stores.redis.keys(Stores.key(coupon, "*"))).isEmpty();
  }

  @Test
  void auditShowsAMissingGateAndOpenReservations() {
    coupons.open(Stores.spec(coupon, 10));
    issuer.issue(coupon, "a");
    assertThat(coupons.audit(coupon)).isEqualTo(new Audit(coupon, 10, 1, 1, 9, 1, 1));
    stores.redis.del(Stores.key(coupon, "stock"));
    assertThat(coupons.audit(coupon)).isEqualTo(new Audit(coupon, 10, 1, 1, -1, -1, -1));
  }

  @Test
  void rebuildFencesWhoWasAdmittedBefore() {
    coupons.open(Stores.spec(coupon, 10));
    long before = stores.number("SELECT epoch FROM coupon WHERE id = ?", coupon);
    issuer.issue(coupon, "a");
    assertThat(coupons.rebuild(coupon)).isTrue();
    assertThat(stores.number("SELECT epoch FROM coupon WHERE id = ?", coupon))
        .isGreaterThan(before);
    assertThat(coupons.audit(coupon).balanced()).as("without a confirm").isTrue();
    assertThat(issuer.issue(coupon, "b")).isEqualTo(ISSUED);
  }

  @Test
  void G26_nineThousandRowsAreRebuilt() {
    coupons.open(Stores.spec(coupon, 10_000));
    for (int page = 0; page < 9; page++) {
      StringBuilder insert =
          new StringBuilder("INSERT INTO issued_coupon (coupon_id, user_id) VALUES ");
      for (int i = 0; i < 1000; i++) {
        insert.append(i == 0 ? "" : ", ").append("(" + coupon + ", 'u" + (page * 1000 + i) + "')");
      }
      stores.sql(insert.toString());
    }
    stores.sql("UPDATE coupon SET issued = 9000 WHERE id = ?", coupon);
    assertThat(coupons.rebuild(coupon)).isTrue();
    assertThat(coupons.audit(coupon).balanced()).isTrue();
    assertThat(issuer.issue(coupon, "u4711")).isEqualTo(DUPLICATE);
    assertThat(issuer.issue(coupon, "fresh")).isEqualTo(ISSUED);
  }

  @Test
  void rebuildThatDiedIsTakenOver() throws Exception {
    coupons.open(Stores.spec(coupon, 10));
    stores.redis.hset(Stores.key(coupon, "meta"), "state", "REBUILDING");
    stores.redis.hset(Stores.key(coupon, "meta"), "rebuild", "dead.1");
    stores.redis.hset(Stores.key(coupon, "meta"), "lease", "9999999999999");
    assertThat(issuer.issue(coupon, "a")).isEqualTo(UNAVAILABLE);
    assertThat(coupons.rebuild(coupon)).as("alive").isFalse();
    stores.redis.hset(Stores.key(coupon, "meta"), "lease", "1");
    assertThat(issuer.issue(coupon, "a")).isEqualTo(UNAVAILABLE);
    issuer.reconcile();
    assertThat(issuer.issue(coupon, "a")).isEqualTo(ISSUED);
  }

  @Test
  void storesThatDoNotAnswerAreNamed() {
    coupons.open(Stores.spec(coupon, 10));
    try (Stockproof impatient =
        Stockproof.issuer(stores.endpoints.dataSource(), stores.redisClient)
            .background(false)
            .timeout(Duration.ofMillis(200))
            .build()) {
      stores.redis.clientPause(700);
      assertThatThrownBy(() -> impatient.coupons().audit(coupon))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("auditing coupon " + coupon);
    }
  }
}
