package io.stockproof.verification.gallery;

import io.stockproof.verification.Capability;
import io.stockproof.verification.JdbcAndRedisSubject;
import io.stockproof.verification.LedgerQueries;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import java.sql.Connection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes subjects of the issuers that the mutants were made from: what they claim, what they keep.
 */
final class Originals {
  private Originals() {}

  static JdbcAndRedisSubject ledger(String name, JdbcAndRedisSubject.Starter starter) {
    return Subject.jdbcAndRedis(name, starter);
  }

  /** With a table of issuances that differs in one place from the right one. */
  static JdbcAndRedisSubject ledgerWhere(
      String inTable, String instead, String name, JdbcAndRedisSubject.Starter starter) {
    LedgerQueries queries = LedgerQueries.defaults();
    List<String> create = queries.create().stream().map(s -> s.replace(inTable, instead)).toList();
    if (create.equals(queries.create())) {
      throw new IllegalArgumentException("no table has '" + inTable + "'");
    }
    return ledger(name, starter).withLedger(queries.withCreate(create));
  }

  static JdbcAndRedisSubject namedLock(String name, JdbcAndRedisSubject.Starter starter) {
    return ledger(name, starter);
  }

  static JdbcAndRedisSubject monitor(String name, JdbcAndRedisSubject.Starter starter) {
    return ledger(name, starter).claiming();
  }

  static JdbcAndRedisSubject leaseLock(String name, JdbcAndRedisSubject.Starter starter) {
    return ledger(name, starter).claiming(Capability.MULTI_INSTANCE, Capability.RESOLVE_ON_DEMAND);
  }

  static JdbcAndRedisSubject gate(String name, JdbcAndRedisSubject.Starter starter) {
    return ledger(name, starter)
        .claiming(
            Capability.MULTI_INSTANCE,
            Capability.GATE,
            Capability.RESOLVE_ON_DEMAND,
            Capability.CHEAP_REFUSAL)
        .withGate(GateIssuer.KEYS)
        .withOpening(new GateOpening());
  }

  static JdbcAndRedisSubject sale(String name, JdbcAndRedisSubject.Starter starter) {
    return ledger(name, starter)
        .claiming(
            Capability.MULTI_INSTANCE,
            Capability.GATE,
            Capability.RESOLVE_ON_DEMAND,
            Capability.WINDOW,
            Capability.OPENING,
            Capability.INPUT_CHECKS)
        .withGate(GateIssuer.KEYS)
        .withOpening(new SaleOpening());
  }

  private static void openInLedger(Environment environment, Scenario scenario) throws Exception {
    try (Connection connection = environment.admin().getConnection()) {
      Sql.update(
          connection, LedgerQueries.defaults().openCoupon(), scenario.couponId(), scenario.total());
    }
  }

  /** Opens a coupon as the right issuer does: the row, and a rebuild. */
  private static final class GateOpening implements JdbcAndRedisSubject.Opening, AutoCloseable {
    private @Nullable GateIssuer operator;

    @Override
    public synchronized void open(Environment environment, Scenario scenario) throws Exception {
      openInLedger(environment, scenario);
      if (operator == null) {
        operator = new GateIssuer(environment.admin(), environment.redis().uri());
      }
      operator.rebuild(scenario.couponId());
    }

    @Override
    public synchronized void close() {
      if (operator != null) {
        operator.close();
        operator = null;
      }
    }
  }

  /** As {@link GateOpening}, with a window; what is not known has neither row nor gate. */
  private static final class SaleOpening implements JdbcAndRedisSubject.Opening, AutoCloseable {
    private final GateOpening gate = new GateOpening();

    @Override
    public void open(Environment environment, Scenario scenario) throws Exception {
      if (scenario.window() == Scenario.Window.UNKNOWN) {
        return;
      }
      gate.open(environment, scenario);
      String window =
          switch (scenario.window()) {
            case NOT_YET -> "opens_at = closes_at";
            case OVER -> "closes_at = opens_at";
            case CLOSED -> "status = 'CLOSED'";
            default -> "status = 'ACTIVE'";
          };
      try (Connection connection = environment.admin().getConnection()) {
        Sql.update(
            connection, "UPDATE coupon SET " + window + " WHERE id = ?", scenario.couponId());
      }
    }

    @Override
    public void close() {
      gate.close();
    }
  }
}
