package io.stockproof.verification;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.environment.Environment;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * An implementation under verification. One object serves one environment and is used by one run at
 * a time; the instances it starts are called from many threads.
 */
public interface Subject extends AutoCloseable {

  /** Lower case with hyphens; unique among the subjects of a run. */
  String name();

  /** What it claims: drives which rules are required. */
  Set<Capability> capabilities();

  /**
   * Brings both stores into the starting state of the scenario: its coupon on sale, or not, as
   * {@link Scenario#window} says; nothing issued.
   *
   * @throws Exception if a store does not answer; the run is then INCONCLUSIVE
   */
  void reset(Environment environment, Scenario scenario) throws Exception;

  /**
   * Starts a new application instance.
   *
   * @param endpoints where this instance finds its stores
   * @throws Exception if it cannot start; the run is then INCONCLUSIVE
   */
  Instance start(Endpoints endpoints) throws Exception;

  /**
   * Reads the truth directly from the stores. May be called beside running calls; rows and counter
   * are then of one moment.
   *
   * @throws Exception if a store does not answer; the run is then INCONCLUSIVE
   */
  StoreState observe(Environment environment, long couponId) throws Exception;

  /**
   * Whether a user holds an issuance row now, read directly. Called after many calls of a run:
   * worth a query of its own.
   *
   * @throws Exception if the ledger does not answer
   */
  default boolean holds(Environment environment, long couponId, String userId) throws Exception {
    return observe(environment, couponId).rowsByUser().containsKey(userId);
  }

  /** The locks in Redis that its requests hold for a time; none by default. */
  default LeaseKeys leases() {
    return LeaseKeys.NONE;
  }

  /**
   * A subject with the default tables {@code coupon} and {@code issued_coupon} and no gate; both
   * can be changed on what is returned.
   *
   * @param name lower case with hyphens
   * @param starter starts one application instance on the endpoints it is given
   */
  static JdbcAndRedisSubject jdbcAndRedis(String name, JdbcAndRedisSubject.Starter starter) {
    return new JdbcAndRedisSubject(name, starter);
  }

  /**
   * The beans of a Spring Boot application, as they are: with the default tables and no gate, as
   * {@link #jdbcAndRedis}. Each instance is an application context of its own, with its own
   * connections, so that Spring's one shared Redis connection does not limit the search; contexts
   * live from run to run. An instance finds its stores in {@code spring.datasource.url}, {@code
   * username} and {@code password}, and in {@code spring.data.redis.url}, {@code host} and {@code
   * port}; no web server is started. Needs Spring Boot 3.5 or 4.0 on the class path.
   *
   * <p>{@code @ServiceConnection} containers of the application class are not connected to; better
   * name a class that does not bring any, since each context would start them. An application that
   * names Redis Cluster or Sentinel nodes goes past these properties.
   *
   * @param application with {@code @SpringBootApplication}; its name in lower case with hyphens is
   *     the subject's
   * @param issuer finds the bean that issues
   * @param properties further properties, {@code key=value}
   */
  static JdbcAndRedisSubject springBoot(
      Class<?> application, SpringBootIssuer issuer, String... properties) {
    String name =
        application
            .getSimpleName()
            .replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-")
            .toLowerCase(Locale.ROOT);
    List<String> more = List.of(properties);
    return jdbcAndRedis(
        name, endpoints -> SpringBootInstance.start(application, issuer, more, endpoints));
  }

  @Override
  default void close() throws Exception {}

  /** One running copy of the subject, with its own connections. */
  @FunctionalInterface
  interface Instance extends AutoCloseable {

    /**
     * One request. An exception counts as {@link IssueOutcome#UNKNOWN}.
     *
     * @throws Exception whatever the implementation lets escape
     */
    IssueOutcome issue(long couponId, String userId) throws Exception;

    /**
     * Finishes now what the calls that have returned left to be done: confirm, release.
     *
     * @throws Exception if a store does not answer
     */
    default void resolve() throws Exception {}

    /**
     * Does once what the implementation does from time to time: its reconciler, its audit. Called
     * at rest, also on an instance that was never asked for this coupon, and twice: what looks
     * wrong while others are in flight may be acted upon only when it is seen again. Called beside
     * requests if the subject claims {@link Capability#RECOVERY_ON_DEMAND}.
     *
     * @param couponId the coupon of the run
     * @throws Exception if a store does not answer
     */
    default void reconcile(long couponId) throws Exception {}

    /**
     * Makes the gate anew from the ledger, beside requests, if the subject claims {@link
     * Capability#RECOVERY_ON_DEMAND}.
     *
     * @param couponId a coupon that is on sale
     * @throws Exception whatever the implementation lets escape
     */
    default void rebuild(long couponId) throws Exception {
      throw new UnsupportedOperationException("this subject cannot make its gate anew");
    }

    /**
     * Does what an operator does to put the coupon on sale, with the numbers that it has already.
     * Called while others ask (R602), if the subject claims {@link Capability#OPENING}.
     *
     * @param couponId a coupon that is on sale
     * @param total its units
     * @throws Exception whatever the implementation lets escape
     */
    default void open(long couponId, long total) throws Exception {
      throw new UnsupportedOperationException("this subject cannot open coupons");
    }

    @Override
    default void close() throws Exception {}
  }
}
