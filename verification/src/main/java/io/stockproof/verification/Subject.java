package io.stockproof.verification;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.environment.Environment;
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
   * Brings both stores into the starting state of the scenario: its coupon on sale, nothing issued.
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
   * Reads the truth directly from the stores.
   *
   * @throws Exception if a store does not answer; the run is then INCONCLUSIVE
   */
  StoreState observe(Environment environment, long couponId) throws Exception;

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
     * Finishes background work now: confirm, release, reconcile.
     *
     * @throws Exception if a store does not answer
     */
    default void resolve() throws Exception {}

    @Override
    default void close() throws Exception {}
  }
}
