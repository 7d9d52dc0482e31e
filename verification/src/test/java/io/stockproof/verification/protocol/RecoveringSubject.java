package io.stockproof.verification.protocol;

import io.lettuce.core.RedisClient;
import io.stockproof.CouponSpec;
import io.stockproof.IssueOutcome;
import io.stockproof.Stockproof;
import io.stockproof.verification.Capability;
import io.stockproof.verification.GateKeys;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.ObjLongConsumer;
import javax.sql.DataSource;

/**
 * The core, where each request is followed by recovery on the same instance: so the commands of
 * reconciler and rebuild are steps of the run.
 */
final class RecoveringSubject {

  private static final Instant OPENS_AT = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant CLOSES_AT = Instant.parse("2100-01-01T00:00:00Z");

  private RecoveringSubject() {}

  static Subject make(ObjLongConsumer<Stockproof> recovery) {
    return Subject.jdbcAndRedis(
            "stockproof-recovering",
            endpoints -> new Running(endpoints.dataSource(), endpoints.redisUri(), recovery))
        .claiming(Capability.MULTI_INSTANCE, Capability.GATE, Capability.RESOLVE_ON_DEMAND)
        .withGate(
            new GateKeys(
                "coupon:{%d}:stock",
                "coupon:{%d}:users", "coupon:{%d}:pending", List.of("coupon:{%d}:meta")))
        .withOpening(RecoveringSubject::open);
  }

  private static void open(Environment environment, Scenario scenario) {
    Running operator =
        new Running(environment.admin(), environment.redis().uri(), (issuer, coupon) -> {});
    try (operator) {
      operator
          .issuer
          .coupons()
          .open(new CouponSpec(scenario.couponId(), scenario.total(), OPENS_AT, CLOSES_AT));
    }
  }

  private static final class Running implements Subject.Instance {
    private static final long NONE = -1;

    /** Long, so that no run depends on how fast the machine is. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final RedisClient redisClient;
    private final Stockproof issuer;
    private final ObjLongConsumer<Stockproof> recovery;
    private long asked = NONE;

    Running(DataSource dataSource, String redisUri, ObjLongConsumer<Stockproof> recovery) {
      this.redisClient = RedisClient.create(redisUri);
      this.recovery = recovery;
      this.issuer =
          Stockproof.issuer(dataSource, redisClient)
              .background(false)
              .timeout(PATIENCE)
              .reservationTimeout(Duration.ZERO)
              .build();
    }

    @Override
    public IssueOutcome issue(long couponId, String userId) {
      asked = couponId;
      return issuer.issue(couponId, userId);
    }

    /** Once a request; at rest only what is left. */
    @Override
    public void resolve() {
      issuer.resolve();
      long coupon = asked;
      asked = NONE;
      if (coupon != NONE) {
        recovery.accept(issuer, coupon);
      }
    }

    @Override
    public void reconcile(long couponId) {
      issuer.coupons().reconcile(couponId);
      issuer.coupons().reconcile(couponId);
      issuer.resolve();
    }

    @Override
    public void close() {
      issuer.close();
      redisClient.shutdown();
    }
  }
}
