package io.stockproof.verification.subjects;

import io.lettuce.core.RedisClient;
import io.stockproof.CouponSpec;
import io.stockproof.IssueOutcome;
import io.stockproof.Stockproof;
import io.stockproof.verification.Capability;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.GateKeys;
import io.stockproof.verification.JdbcAndRedisSubject;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The core of this project, in the mode that does background work only when asked. */
final class StockproofSubject {
  private static final GateKeys KEYS =
      new GateKeys(
          "coupon:{%d}:stock",
          "coupon:{%d}:users", "coupon:{%d}:pending", List.of("coupon:{%d}:meta"));

  private StockproofSubject() {}

  static JdbcAndRedisSubject make() {
    JdbcAndRedisSubject subject = Subject.jdbcAndRedis("stockproof", Running::new);
    return subject
        .claiming(
            Capability.MULTI_INSTANCE,
            Capability.GATE,
            Capability.RESOLVE_ON_DEMAND,
            Capability.WINDOW,
            Capability.RECOVERY,
            Capability.CHEAP_REFUSAL)
        .withGate(KEYS)
        .withOpening(new Opening());
  }

  /** One instance with its own Redis client. */
  private static final class Running implements Subject.Instance {
    private final RedisClient redisClient;
    private final Stockproof issuer;

    Running(Endpoints endpoints) {
      this(endpoints.dataSource(), endpoints.redisUri());
    }

    Running(DataSource dataSource, String redisUri) {
      redisClient = RedisClient.create(redisUri);
      issuer =
          Stockproof.issuer(dataSource, redisClient)
              .background(false)
              .reservationTimeout(Duration.ZERO)
              .build();
    }

    @Override
    public IssueOutcome issue(long couponId, String userId) {
      return issuer.issue(couponId, userId);
    }

    @Override
    public void resolve() {
      issuer.resolve();
    }

    /** Twice: what looks wrong while others are in flight is acted upon when it is seen again. */
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

  /** Opens coupons as an operator does, by an instance kept for that. */
  private static final class Opening implements JdbcAndRedisSubject.Opening, AutoCloseable {
    private static final Instant OPENS_AT = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant CLOSES_AT = Instant.parse("2100-01-01T00:00:00Z");

    private @Nullable Running operator;

    @Override
    public synchronized void open(Environment environment, Scenario scenario) {
      Running current = operator;
      if (current == null) {
        current = new Running(environment.admin(), environment.redis().uri());
        operator = current;
      }
      current
          .issuer
          .coupons()
          .open(new CouponSpec(scenario.couponId(), scenario.total(), OPENS_AT, CLOSES_AT));
    }

    @Override
    public synchronized void close() {
      if (operator != null) {
        operator.close();
        operator = null;
      }
    }
  }
}
