package io.stockproof.verification;

import io.stockproof.verification.environment.Environment;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A subject whose truth is in two tables and, if it has a gate, in a few Redis keys. Made by {@link
 * Subject#jdbcAndRedis}; each {@code with…} gives another subject and leaves this one as it is, and
 * is called before the first use. {@link #observe} and {@link #holds} may be called beside running
 * calls.
 */
public final class JdbcAndRedisSubject implements Subject {

  /** Starts one application instance. */
  @FunctionalInterface
  public interface Starter {
    /**
     * Starts an instance with connections of its own.
     *
     * @throws Exception if it cannot start
     */
    Instance start(Endpoints endpoints) throws Exception;
  }

  /**
   * Puts a coupon on sale in stores that hold no trace of it. Closed with the subject if it is an
   * {@link AutoCloseable}.
   */
  @FunctionalInterface
  public interface Opening {
    /**
     * Opens the coupon of the scenario, in the window that it names; not at all if that is {@link
     * Scenario.Window#UNKNOWN}.
     *
     * @throws Exception if a store does not answer
     */
    void open(Environment environment, Scenario scenario) throws Exception;
  }

  /** Which tables stand in which schema, so that a change of subject replaces them. */
  private static final Map<Environment, Tables> TABLES = new WeakHashMap<>();

  /** Coupons that were put on sale on servers started for this process: no others are there. */
  private static final Map<Environment, Set<Long>> COUPONS = new WeakHashMap<>();

  private static final long UNKNOWN_COUPON = -1;

  private static final String KEYS_AS_THEY_ARE =
      """
      SELECT GROUP_CONCAT(CONCAT_WS('.', table_name, index_name, column_name, non_unique)
                          ORDER BY table_name, index_name, seq_in_index)
        FROM information_schema.statistics WHERE table_schema = DATABASE()""";

  /**
   * Tables as they were made.
   *
   * @param create by which statements
   * @param keys what the schema said of them then: somebody else may have replaced them since
   */
  private record Tables(List<String> create, String keys) {}

  private final String name;
  private final Starter starter;
  private final Set<Capability> capabilities;
  private final LedgerQueries ledger;
  private final @Nullable GateKeys gate;
  private final @Nullable Opening opening;
  private final LeaseKeys leases;
  private @Nullable GateReader gateReader;
  private boolean tablesChecked;

  JdbcAndRedisSubject(String name, Starter starter) {
    this(
        name,
        starter,
        Set.of(Capability.MULTI_INSTANCE),
        LedgerQueries.defaults(),
        null,
        null,
        LeaseKeys.NONE);
  }

  private JdbcAndRedisSubject(
      String name,
      Starter starter,
      Set<Capability> capabilities,
      LedgerQueries ledger,
      @Nullable GateKeys gate,
      @Nullable Opening opening,
      LeaseKeys leases) {
    this.name = name;
    this.starter = starter;
    this.capabilities = Set.copyOf(capabilities);
    this.ledger = ledger;
    this.gate = gate;
    this.opening = opening;
    this.leases = leases;
  }

  /** What it claims; {@link Capability#MULTI_INSTANCE} unless said otherwise. */
  public JdbcAndRedisSubject claiming(Capability... claims) {
    return new JdbcAndRedisSubject(name, starter, Set.of(claims), ledger, gate, opening, leases);
  }

  /** Other tables or queries. */
  public JdbcAndRedisSubject withLedger(LedgerQueries queries) {
    return new JdbcAndRedisSubject(name, starter, capabilities, queries, gate, opening, leases);
  }

  /** No unique key over coupon and user, only an index: as in 001 and 004. */
  public JdbcAndRedisSubject withoutUniqueKey() {
    return withLedger(ledger.withoutUniqueKey());
  }

  /** A unique key over coupon and user, where {@link #withoutUniqueKey} took it away. */
  public JdbcAndRedisSubject withUniqueKey() {
    return withLedger(ledger.withUniqueKey());
  }

  /** Whether its schema has a unique key over coupon and user. */
  public boolean hasUniqueKey() {
    return ledger.equals(ledger.withUniqueKey());
  }

  /** The same under another name, with other instances. */
  public JdbcAndRedisSubject renamed(String otherName, UnaryOperator<Instance> around) {
    return new JdbcAndRedisSubject(
        otherName,
        endpoints -> around.apply(starter.start(endpoints)),
        capabilities,
        ledger,
        gate,
        opening,
        leases);
  }

  /** The locks in Redis that its requests hold for a time. */
  public JdbcAndRedisSubject withLeases(LeaseKeys keys) {
    return new JdbcAndRedisSubject(name, starter, capabilities, ledger, gate, opening, keys);
  }

  /** The keys of its gate; at reset the stock is set to the total and the others are absent. */
  public JdbcAndRedisSubject withGate(GateKeys keys) {
    return new JdbcAndRedisSubject(name, starter, capabilities, ledger, keys, opening, leases);
  }

  /** The subject's own way to put a coupon on sale, instead of a row and a gate stock. */
  public JdbcAndRedisSubject withOpening(Opening ownOpening) {
    return new JdbcAndRedisSubject(name, starter, capabilities, ledger, gate, ownOpening, leases);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<Capability> capabilities() {
    return capabilities;
  }

  @Override
  public Instance start(Endpoints endpoints) throws Exception {
    return starter.start(endpoints);
  }

  @Override
  public LeaseKeys leases() {
    return leases;
  }

  @Override
  public void reset(Environment environment, Scenario scenario) throws Exception {
    boolean putsOnSale = opening == null && scenario.window() == Scenario.Window.OPEN;
    try (Connection connection = environment.admin().getConnection()) {
      createTables(environment, connection);
      Runnable gateIsReset =
          gate == null ? () -> {} : gateReader(environment, gate).reset(scenario, putsOnSale);
      if (maybeKnown(environment, scenario.couponId()) && known(connection, scenario.couponId())) {
        for (String statement : ledger.forgetCoupon()) {
          update(connection, statement, scenario.couponId());
        }
      }
      if (putsOnSale) {
        update(connection, ledger.openCoupon(), scenario.couponId(), scenario.total());
      }
      gateIsReset.run();
    }
    if (opening != null) {
      opening.open(environment, scenario);
    } else if (!putsOnSale && scenario.window() != Scenario.Window.UNKNOWN) {
      throw new IllegalStateException(
          name + " claims WINDOW and has no opening that knows " + scenario.window());
    }
  }

  private void createTables(Environment environment, Connection connection) throws SQLException {
    synchronized (TABLES) {
      Tables known = TABLES.get(environment);
      if (known != null
          && known.create().equals(ledger.create())
          && (tablesChecked || keys(connection).equals(known.keys()))) {
        tablesChecked = true;
        return;
      }
      try (Statement statement = connection.createStatement()) {
        for (String sql : ledger.drop()) {
          statement.execute(sql);
        }
        for (String sql : ledger.create()) {
          statement.execute(sql);
        }
      }
      TABLES.put(environment, new Tables(ledger.create(), keys(connection)));
      tablesChecked = true;
    }
  }

  private static String keys(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(KEYS_AS_THEY_ARE)) {
      return row.next() ? String.valueOf(row.getString(1)) : "";
    }
  }

  private static void update(Connection connection, String sql, long... parameters)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setLong(i + 1, parameters[i]);
      }
      statement.executeUpdate();
    }
  }

  @Override
  public StoreState observe(Environment environment, long couponId) throws Exception {
    GateReader.Reading reading = gate == null ? null : gateReader(environment, gate).read(couponId);
    Map<String, Long> rows = new HashMap<>();
    long counter;
    try (Connection connection = environment.admin().getConnection()) {
      counter = readBooks(connection, couponId, rows);
    }
    return reading == null
        ? new StoreState(rows, counter, StoreState.MISSING, Set.of(), Set.of())
        : reading.with(rows, counter);
  }

  private static boolean maybeKnown(Environment environment, long couponId) {
    synchronized (COUPONS) {
      boolean first = COUPONS.computeIfAbsent(environment, e -> new HashSet<>()).add(couponId);
      return !first || environment.kind() == Environment.Kind.EXTERNAL;
    }
  }

  private boolean known(Connection connection, long couponId) throws SQLException {
    return readBooks(connection, couponId, new HashMap<>()) != UNKNOWN_COUPON;
  }

  private long readBooks(Connection connection, long couponId, Map<String, Long> rows)
      throws SQLException {
    long counter = UNKNOWN_COUPON;
    try (PreparedStatement statement = connection.prepareStatement(ledger.books())) {
      statement.setLong(1, couponId);
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          counter = result.getLong(1);
          String user = result.getString(2);
          if (user != null) {
            rows.put(user, result.getLong(3));
          }
        }
      }
    }
    return counter;
  }

  @Override
  public boolean holds(Environment environment, long couponId, String userId) throws Exception {
    try (Connection connection = environment.admin().getConnection();
        PreparedStatement statement = connection.prepareStatement(ledger.holds())) {
      statement.setLong(1, couponId);
      statement.setString(2, userId);
      try (ResultSet result = statement.executeQuery()) {
        return result.next();
      }
    }
  }

  private synchronized GateReader gateReader(Environment environment, GateKeys keys) {
    if (gateReader == null) {
      gateReader = new GateReader(environment.redis().uri(), keys);
    }
    return gateReader;
  }

  @Override
  public synchronized void close() throws Exception {
    if (gateReader != null) {
      gateReader.close();
      gateReader = null;
    }
    if (opening instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }
}
