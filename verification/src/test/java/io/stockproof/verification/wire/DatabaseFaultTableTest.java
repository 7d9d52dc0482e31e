package io.stockproof.verification.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The database rows of {@code docs/faults.md}, each on a real server. The transaction under fault
 * has already changed row 1 ({@code earlier}) when the statement under fault adds row 2.
 */
class DatabaseFaultTableTest {
  private static final String EARLIER = "UPDATE wire_fault SET n = n + 1 WHERE id = 1";
  private static final String STATEMENT = "INSERT INTO wire_fault VALUES (2, 0)";

  private final Environment environment = Environments.shared();
  private final Scribe scribe = new Scribe();
  private final ProxiedEndpoints endpoints = new ProxiedEndpoints(environment, "A", 1, scribe);
  private final WireProxy proxy = endpoints.databaseProxy();
  private final CompletableFuture<LateCommand> late = new CompletableFuture<>();
  private Connection connection;

  @BeforeEach
  void begin() throws SQLException {
    admin("DROP TABLE IF EXISTS wire_fault");
    admin("CREATE TABLE wire_fault (id INT PRIMARY KEY, n INT) ENGINE=InnoDB");
    admin("INSERT INTO wire_fault VALUES (1, 0)");
    connection =
        DriverManager.getConnection(
            endpoints.jdbcUrl(), endpoints.dbUser(), endpoints.dbPassword());
  }

  @AfterEach
  void end() throws SQLException {
    connection.close();
    endpoints.close();
    assertThat(proxy.counters().unmatched()).isZero();
    assertThat(proxy.counters().failures()).isZero();
  }

  @Test
  void db_forward() throws SQLException {
    inTransaction();
    run(STATEMENT);
    connection.commit();
    assertEarlierKept(true);
    assertStatementKept(true);
  }

  @Test
  void db_delay() throws Exception {
    inTransaction();
    scribe.treat(Scribe.named("INSERT"), c -> c.forwardAfter(Duration.ofMillis(150)));
    long before = System.nanoTime();
    run(STATEMENT);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(149));
    connection.commit();
    assertStatementKept(true);
  }

  @Test
  void db_answer_1213() throws SQLException {
    answered(WireError.deadlock(), false);
  }

  @Test
  void db_answer_1020() throws SQLException {
    answered(WireError.recordChanged(), false);
  }

  @Test
  void db_answer_1205() throws SQLException {
    answered(WireError.lockWaitTimeout(), true);
  }

  @Test
  void db_answer_other() throws SQLException {
    answered(WireError.readOnly(), true);
  }

  private void answered(WireError error, boolean earlierSurvives) throws SQLException {
    inTransaction();
    scribe.treat(Scribe.named("INSERT"), c -> c.answer(error));
    assertThatThrownBy(() -> run(STATEMENT))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getErrorCode()).isEqualTo(error.code());
              assertThat(e.getMessage()).contains(error.text());
            });
    assertThat(rowIsLocked()).isEqualTo(earlierSurvives);
    connection.commit();
    assertEarlierKept(earlierSurvives);
    assertStatementKept(false);
    scribe.forwardAll();
    run(STATEMENT);
    connection.commit();
    assertStatementKept(true);
  }

  @Test
  void db_answer_prepared() throws SQLException {
    try (Connection prepares =
            DriverManager.getConnection(
                endpoints.jdbcUrl() + "&useServerPrepStmts=true",
                endpoints.dbUser(),
                endpoints.dbPassword());
        var insert = prepares.prepareStatement("INSERT INTO wire_fault VALUES (?, 0)")) {
      insert.setInt(1, 2);
      scribe.treat(Scribe.named("INSERT"), c -> c.answer(WireError.deadlock()));
      assertThatThrownBy(insert::executeUpdate)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1213));
      assertStatementKept(false);
      scribe.forwardAll();
      assertThat(insert.executeUpdate()).isEqualTo(1);
    }
  }

  @Test
  void db_answer_commit_1213() throws SQLException {
    inTransaction();
    run(STATEMENT);
    scribe.treat(Scribe.named("COMMIT"), c -> c.answer(WireError.deadlock()));
    assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
    assertRolledBack();
  }

  @Test
  void db_cut_before() throws SQLException {
    inTransaction();
    scribe.treat(Scribe.named("INSERT"), Command::cutBefore);
    assertConnectionLost(() -> run(STATEMENT));
    assertRolledBack();
  }

  @Test
  void db_cut_before_commit() throws SQLException {
    inTransaction();
    run(STATEMENT);
    scribe.treat(Scribe.named("COMMIT"), Command::cutBefore);
    assertConnectionLost(connection::commit);
    assertRolledBack();
  }

  @Test
  void db_lose_reply_in_transaction() throws SQLException {
    inTransaction();
    scribe.treat(Scribe.named("INSERT"), Command::loseReply);
    assertConnectionLost(() -> run(STATEMENT));
    Reply reply = scribe.replyTo(Scribe.named("INSERT"));
    assertThat(reply.affectedRows()).isEqualTo(1);
    assertThat(reply.passed()).isFalse();
    assertRolledBack();
  }

  @Test
  void db_lose_reply_autocommit() throws SQLException {
    scribe.treat(Scribe.named("INSERT"), Command::loseReply);
    assertConnectionLost(() -> run(STATEMENT));
    assertStatementKept(true);
  }

  @Test
  void db_lose_reply_of_commit() throws SQLException {
    inTransaction();
    run(STATEMENT);
    scribe.treat(Scribe.named("COMMIT"), Command::loseReply);
    assertConnectionLost(connection::commit);
    assertEarlierKept(true);
    assertStatementKept(true);
  }

  @Test
  void db_late_commit() throws Exception {
    inTransaction();
    run(STATEMENT);
    giveUp("COMMIT");
    assertConnectionLost(connection::commit);
    assertEarlierKept(false);
    assertThat(rowIsLocked()).isTrue();
    assertThat(lateCommand().deliver().get().error()).isFalse();
    assertEarlierKept(true);
    assertStatementKept(true);
  }

  @Test
  void db_late_autocommit() throws Exception {
    giveUp("INSERT");
    assertConnectionLost(() -> run(STATEMENT));
    assertStatementKept(false);
    assertThat(lateCommand().deliver().get().affectedRows()).isEqualTo(1);
    assertStatementKept(true);
  }

  @Test
  void db_late_in_transaction() throws Exception {
    inTransaction();
    giveUp("INSERT");
    assertConnectionLost(() -> run(STATEMENT));
    assertThat(rowIsLocked()).isTrue();
    assertThat(lateCommand().deliver().get().affectedRows()).isEqualTo(1);
    assertRolledBack();
  }

  @Test
  void db_late_never() throws Exception {
    inTransaction();
    giveUp("INSERT");
    assertConnectionLost(() -> run(STATEMENT));
    lateCommand().drop();
    Awaitility.await().until(() -> !rowIsLocked());
    assertRolledBack();
  }

  @Test
  void db_client_gone_then_forward() throws Exception {
    scribe.hold(Scribe.named("INSERT"));
    try (Connection hasty =
        DriverManager.getConnection(
            endpoints.jdbcUrl() + "&socketTimeout=200",
            endpoints.dbUser(),
            endpoints.dbPassword())) {
      assertConnectionLost(() -> run(hasty, STATEMENT));
      Command held = scribe.nextHeld();
      Awaitility.await().until(held::clientGone);
      assertStatementKept(false);
      assertThat(held.forward()).isTrue();
      Awaitility.await()
          .untilAsserted(
              () -> assertThat(scribe.replyTo(Scribe.named("INSERT")).passed()).isFalse());
      assertStatementKept(true);
    }
  }

  @Test
  void db_refuse() {
    proxy.refuse(WireError.tooManyConnections());
    assertThatThrownBy(
            () ->
                DriverManager.getConnection(
                    endpoints.jdbcUrl(), endpoints.dbUser(), endpoints.dbPassword()))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(1040));
    proxy.refuse(null);
  }

  private void giveUp(String name) {
    scribe.treat(Scribe.named(name), c -> late.complete(c.giveUp()));
  }

  private LateCommand lateCommand() {
    return late.join();
  }

  private void inTransaction() throws SQLException {
    connection.setAutoCommit(false);
    run(EARLIER);
  }

  private void run(String text) throws SQLException {
    run(connection, text);
  }

  private static void run(Connection on, String text) throws SQLException {
    try (Statement sql = on.createStatement()) {
      sql.execute(text);
    }
  }

  private static void assertConnectionLost(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).startsWith("08"));
  }

  /** At once, not eventually: the locks are free when the client is told. */
  private void assertRolledBack() throws SQLException {
    assertThat(rowIsLocked()).isFalse();
    assertEarlierKept(false);
    assertStatementKept(false);
  }

  private void assertEarlierKept(boolean kept) throws SQLException {
    assertThat(read("SELECT n FROM wire_fault WHERE id = 1", r -> first(r)))
        .isEqualTo(kept ? 1 : 0);
  }

  private void assertStatementKept(boolean kept) throws SQLException {
    assertThat(read("SELECT COUNT(*) FROM wire_fault WHERE id = 2", r -> first(r)))
        .isEqualTo(kept ? 1 : 0);
  }

  private boolean rowIsLocked() {
    try {
      read("SELECT n FROM wire_fault WHERE id = 1 FOR UPDATE NOWAIT", r -> first(r));
      return false;
    } catch (SQLException e) {
      return true;
    }
  }

  private static int first(ResultSet rows) {
    try {
      rows.next();
      return rows.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private int read(String query, Function<ResultSet, Integer> reading) throws SQLException {
    try (Connection admin = environment.admin().getConnection();
        Statement sql = admin.createStatement();
        ResultSet rows = sql.executeQuery(query)) {
      return reading.apply(rows);
    }
  }

  private void admin(String text) throws SQLException {
    try (Connection admin = environment.admin().getConnection()) {
      run(admin, text);
    }
  }
}
