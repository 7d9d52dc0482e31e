package io.stockproof.verification.subjects;

import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.stockproof.CouponSpec;
import io.stockproof.Coupons;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The core of this project: in the mode that does background work only when asked, and as it runs
 * in a service.
 */
final class StockproofSubject {
  private static final GateKeys KEYS =
      new GateKeys(
          "coupon:{%d}:stock",
          "coupon:{%d}:users", "coupon:{%d}:pending", List.of("coupon:{%d}:meta"));

  private StockproofSubject() {}

  private static final Set<Capability> CLAIMS =
      EnumSet.of(
          Capability.MULTI_INSTANCE,
          Capability.GATE,
          Capability.WINDOW,
          Capability.RECOVERY,
          Capability.CHEAP_REFUSAL,
          Capability.OPENING,
          Capability.INPUT_CHECKS);

  static JdbcAndRedisSubject make() {
    Set<Capability> claims = EnumSet.copyOf(CLAIMS);
    claims.add(Capability.RESOLVE_ON_DEMAND);
    claims.add(Capability.RECOVERY_ON_DEMAND);
    return with(claims, Running::new);
  }

  /** As it runs in a service: with its own threads, and real timeouts. */
  static JdbcAndRedisSubject inService() {
    return with(CLAIMS, InService::new);
  }

  private static JdbcAndRedisSubject with(
      Set<Capability> claims, JdbcAndRedisSubject.Starter starter) {
    return Subject.jdbcAndRedis("stockproof", starter)
        .claiming(claims.toArray(Capability[]::new))
        .withGate(KEYS)
        .withOpening(new Opening());
  }

  /**
   * Longer than the 6 s after which a run that stands still is given up: else the time of day, on a
   * machine that stood still, would decide in a run what the order of commands is to decide. Less
   * than the 10 s after which a call of stress hangs.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(8);

  private static final Instant LONG_AGO = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant AGO = Instant.parse("2001-01-01T00:00:00Z");
  private static final Instant IN_YEARS = Instant.parse("2100-01-01T00:00:00Z");
  private static final Instant LATER = Instant.parse("2101-01-01T00:00:00Z");

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
              .timeout(PATIENCE)
              .reservationTimeout(Duration.ZERO)
              .build();
    }

    @Override
    public IssueOutcome issue(long couponId, String userId) {
      return issuer.issue(couponId, userId);
    }

    @Override
    public void open(long couponId, long total) {
      issuer.coupons().open(new CouponSpec(couponId, total, LONG_AGO, IN_YEARS));
    }

    @Override
    public void resolve() {
      issuer.resolve();
    }

    @Override
    public void reconcile(long couponId) {
      issuer.coupons().reconcile(couponId);
      issuer.resolve();
    }

    @Override
    public void rebuild(long couponId) {
      issuer.coupons().rebuild(couponId);
    }

    @Override
    public void close() {
      issuer.close();
      redisClient.shutdown();
    }
  }

  /**
   * Its defaults but for what a service would choose too: a client that reconnects soon, a few
   * requests that go to the ledger while the gate is away, and reservations that are given back
   * within seconds.
   */
  private static final class InService implements Subject.Instance {
    private static final Duration RECONNECTION = Duration.ofMillis(50);
    private static final Duration RESERVATION = Duration.ofSeconds(3);
    private static final Duration RECONCILED_EVERY = Duration.ofSeconds(1);
    private static final int PAST_THE_GATE = 4;

    private final ClientResources resources;
    private final RedisClient redisClient;
    private final Stockproof issuer;

    InService(Endpoints endpoints) {
      resources = ClientResources.builder().reconnectDelay(Delay.constant(RECONNECTION)).build();
      redisClient = RedisClient.create(resources, endpoints.redisUri());
      issuer =
          Stockproof.issuer(endpoints.dataSource(), redisClient)
              .reservationTimeout(RESERVATION)
              .reconcilePeriod(RECONCILED_EVERY)
              .fallThrough(PAST_THE_GATE)
              .build();
    }

    @Override
    public IssueOutcome issue(long couponId, String userId) {
      return issuer.issue(couponId, userId);
    }

    @Override
    public void close() {
      issuer.close();
      redisClient.shutdown();
      var unused = resources.shutdown(0, 2, TimeUnit.SECONDS);
    }
  }

  /** Opens coupons as an operator does, by an instance kept for that. */
  private static final class Opening implements JdbcAndRedisSubject.Opening, AutoCloseable {
    private @Nullable Running operator;

    @Override
    public synchronized void open(Environment environment, Scenario scenario) {
      Running current = operator;
      if (current == null) {
        current = new Running(environment.admin(), environment.redis().uri());
        operator = current;
      }
      long id = scenario.couponId();
      long total = scenario.total();
      Coupons coupons = current.issuer.coupons();
      switch (scenario.window()) {
        case OPEN -> current.open(id, total);
        case NOT_YET -> coupons.open(new CouponSpec(id, total, IN_YEARS, LATER));
        case OVER -> coupons.open(new CouponSpec(id, total, LONG_AGO, AGO));
        case CLOSED -> {
          current.open(id, total);
          coupons.close(id);
        }
        case UNKNOWN -> {}
      }
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
