package io.stockproof.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import com.zaxxer.hikari.HikariDataSource;
import io.stockproof.Stores;
import io.stockproof.ledger.Recorded.Result;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class JdbcLedgerServerTest {

  private static final CommitPermit ALWAYS =
      new CommitPermit() {
        @Override
        public boolean begin() {
          return true;
        }

        @Override
        public void aborted() {}
      };

  private final Stores stores = new Stores();
  private final long coupon = Stores.newCoupon();

  @AfterEach
  void closeStores() throws Exception {
    stores.close();
  }

  private static JdbcLedger ledger(DataSource dataSource) {
    return new JdbcLedger(dataSource, LedgerSchema.defaults(), new SplittableRandom(1));
  }

  private JdbcLedger ledger() {
    return ledger(stores.endpoints.dataSource());
  }

  private static Deadline in(long millis) {
    return Deadline.in(Duration.ofMillis(millis), System::nanoTime);
  }

  private void create(JdbcLedger ledger, long total) {
    assertThat(ledger.create(new CouponRow(coupon, total, 0, true, 0, Long.MAX_VALUE, 0), in(5000)))
        .isTrue();
  }

  private Reservation of(String user, String token) {
    return new Reservation(coupon, user, token, 0);
  }

  private static Result record(JdbcLedger ledger, Reservation reservation) {
    return ledger.record(reservation, in(5000), ALWAYS).result();
  }

  private void assertBooks(long rows) {
    assertThat(stores.rows(coupon)).isEqualTo(rows);
    assertThat(stores.counter(coupon)).isEqualTo(rows);
  }

  @ParameterizedTest
  @ValueSource(strings = {"useAffectedRows=true", "useAffectedRows=false"})
  void D22_affectedOrFoundRowsGiveTheSameAnswers(String setting) {
    JdbcLedger ledger = ledger(stores.pool(1, Duration.ofSeconds(2), setting));
    create(ledger, 1);
    assertThat(ledger.create(new CouponRow(coupon, 5, 0, true, 0, 1, 0), in(5000))).isFalse();
    assertThat(record(ledger, of("a", "t1"))).isEqualTo(Result.ISSUED);
    assertThat(record(ledger, of("a", "t2"))).isEqualTo(Result.ALREADY_RECORDED);
    assertThat(record(ledger, of("b", "t3"))).isEqualTo(Result.EXHAUSTED);
    assertThat(ledger.deactivate(coupon, in(5000))).isTrue();
    assertThat(ledger.deactivate(coupon, in(5000))).isTrue();
    assertThat(record(ledger, of("b", "t4"))).isEqualTo(Result.NOT_ACTIVE);
    assertBooks(1);
  }

  @Test
  void duplicateRollsTheUpdateBack() {
    JdbcLedger ledger = ledger();
    create(ledger, 5);
    record(ledger, of("a", "t1"));
    assertThat(record(ledger, of("a", "t2"))).isEqualTo(Result.ALREADY_RECORDED);
    assertBooks(1);
  }

  @Test
  void newerEpochFences() {
    JdbcLedger ledger = ledger();
    create(ledger, 5);
    assertThat(ledger.fence(coupon, in(5000)).orElseThrow().epoch()).isEqualTo(1);
    Recorded recorded = ledger.record(of("a", "t"), in(5000), ALWAYS);
    assertThat(recorded.result()).isEqualTo(Result.FENCED);
    assertThat(recorded.epoch()).isEqualTo(1);
    assertThat(record(ledger, of("a", "t").under(1))).isEqualTo(Result.ISSUED);
    assertBooks(1);
  }

  @Test
  void onlyTheKeyOverCouponAndUserMeansDuplicate() {
    String tables = "coupon, issued_x" + coupon;
    LedgerSchema schema = LedgerSchema.defaults().withTables("coupon", "issued_x" + coupon);
    schema.ddl().forEach(stores::sql);
    stores.sql("ALTER TABLE issued_x" + coupon + " ADD UNIQUE KEY uk_token (token)");
    try {
      JdbcLedger ledger =
          new JdbcLedger(stores.endpoints.dataSource(), schema, new SplittableRandom(1));
      create(ledger, 5);
      assertThat(record(ledger, of("a", "same"))).isEqualTo(Result.ISSUED);
      assertThat(record(ledger, of("b", "same"))).as(tables).isEqualTo(Result.NOT_WRITTEN);
      assertThat(record(ledger, of("a", "other"))).isEqualTo(Result.ALREADY_RECORDED);
      assertThat(stores.counter(coupon)).isEqualTo(1);
    } finally {
      stores.sql("DROP TABLE issued_x" + coupon);
    }
  }

  @Test
  void duplicateIsKnownInEveryLanguageOfTheServer() throws Exception {
    try {
      stores.sql("SET lc_messages = 'de_DE'");
    } catch (AssertionError e) {
      String why = "this server speaks no German: " + e.getCause();
      System.out.println("skipped: duplicateIsKnownInEveryLanguageOfTheServer: " + why);
      abort(why);
    }
    DataSource german = stores.pool(1, Duration.ofSeconds(2), "sessionVariables=lc_messages=de_DE");
    JdbcLedger ledger = ledger(german);
    create(ledger, 5);
    assertThat(record(ledger, of("a", "t1"))).isEqualTo(Result.ISSUED);
    assertThat(duplicateMessage(german)).doesNotContain(" for key ");
    assertThat(record(ledger, of("a", "t2"))).isEqualTo(Result.ALREADY_RECORDED);
    assertBooks(1);
  }

  private String duplicateMessage(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, 'a')")) {
      insert.setLong(1, coupon);
      return String.valueOf(
          catchThrowableOfType(SQLException.class, insert::executeUpdate).getMessage());
    }
  }

  @Test
  void callerWhoHasLeftIsGivenNoRow() {
    JdbcLedger ledger = ledger();
    create(ledger, 5);
    CommitPermit never =
        new CommitPermit() {
          @Override
          public boolean begin() {
            return false;
          }

          @Override
          public void aborted() {}
        };
    assertThat(ledger.record(of("a", "t"), in(5000), never).result()).isEqualTo(Result.NOT_WRITTEN);
    assertBooks(0);
  }

  @Test
  void passedDeadlineStartsNothing() {
    JdbcLedger ledger = ledger();
    create(ledger, 5);
    assertThat(ledger.record(of("a", "t"), in(0), ALWAYS).result()).isEqualTo(Result.NOT_WRITTEN);
    assertBooks(0);
  }

  @Test
  void autocommitComesBackAsItWas() throws Exception {
    HikariDataSource pool = stores.pool(1, Duration.ofSeconds(2), "");
    JdbcLedger ledger = ledger(pool);
    create(ledger, 5);
    record(ledger, of("a", "t1"));
    record(ledger, of("a", "t2"));
    try (Connection connection = pool.getConnection()) {
      assertThat(connection.getAutoCommit()).isTrue();
      connection.setAutoCommit(false);
    }
    assertThat(record(ledger, of("b", "t3"))).isEqualTo(Result.ISSUED);
    assertBooks(2);
  }

  @Test
  void D11_lockWaitTimeoutIsTriedAgainAsAWhole() throws Exception {
    HikariDataSource pool =
        stores.pool(1, Duration.ofSeconds(2), "sessionVariables=innodb_lock_wait_timeout=1");
    JdbcLedger ledger = ledger(pool);
    create(ledger, 5);
    try (Connection holder = stores.connection()) {
      holder.setAutoCommit(false);
      lock(holder);
      CompletableFuture<Result> result =
          CompletableFuture.supplyAsync(() -> record(ledger, of("a", "t")));
      await().during(Duration.ofMillis(1500)).until(() -> !result.isDone());
      holder.rollback();
      assertThat(result.get()).isEqualTo(Result.ISSUED);
    }
    assertBooks(1);
  }

  private void lock(Connection holder) throws SQLException {
    try (Statement statement = holder.createStatement()) {
      statement.executeQuery("SELECT id FROM coupon WHERE id = " + coupon + " FOR UPDATE").close();
    }
  }

  @Test
  void D10_deadlockIsTriedAgainAsAWhole() throws Exception {
    JdbcLedger ledger = ledger();
    create(ledger, 5);
    AtomicInteger retries = new AtomicInteger();
    try (Connection other = stores.connection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      // The other session is made the costlier victim, so that the ledger's transaction is chosen.
      for (int i = 0; i < 50; i++) {
        statement.executeUpdate(
            "INSERT INTO issued_coupon (coupon_id, user_id) VALUES ("
                + (coupon + 1)
                + ", 'x"
                + i
                + "')");
      }
      statement.executeUpdate(
          "INSERT INTO issued_coupon (coupon_id, user_id) VALUES (" + coupon + ", 'a')");
      CompletableFuture<Result> result =
          CompletableFuture.supplyAsync(() -> record(ledger, of("a", "t")));
      // It has counted, and waits for the other's row; now the other waits for the coupon.
      await()
          .until(
              () ->
                  stores.number(
                          "SELECT COUNT(*) FROM information_schema.INNODB_TRX WHERE trx_state = 'LOCK WAIT'")
                      > 0);
      statement.executeUpdate("UPDATE coupon SET issued = issued + 1 WHERE id = " + coupon);
      retries.incrementAndGet();
      other.rollback();
      assertThat(result.get()).isEqualTo(Result.ISSUED);
    }
    assertThat(retries).hasValue(1);
    assertBooks(1);
  }

  @Test
  void D33_lockedRowEndsWithTheDeadlineAndIsNeverWritten() throws Exception {
    JdbcLedger ledger = ledger();
    create(ledger, 5);
    try (Connection holder = stores.connection()) {
      holder.setAutoCommit(false);
      lock(holder);
      long started = System.nanoTime();
      assertThat(ledger.record(of("a", "t"), in(300), ALWAYS).result())
          .isEqualTo(Result.NOT_WRITTEN);
      assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(2));
      holder.rollback();
    }
    assertThat(record(ledger, of("b", "t2"))).isEqualTo(Result.ISSUED);
    assertBooks(1);
  }

  @Test
  void lostReplyOfACommitThatHappenedIsIssued() {
    DataSource losing = faulty(true);
    JdbcLedger ledger = ledger(losing);
    create(ledger(), 5);
    assertThat(record(ledger, of("a", "t"))).isEqualTo(Result.ISSUED);
    assertBooks(1);
  }

  @Test
  void commitThatDidNotArriveIsNotWritten() {
    DataSource losing = faulty(false);
    JdbcLedger ledger = ledger(losing);
    create(ledger(), 5);
    assertThat(record(ledger, of("a", "t"))).isEqualTo(Result.NOT_WRITTEN);
    assertBooks(0);
  }

  @Test
  void ambiguousCommitWithoutTheLockInTimeIsUnknown() throws Exception {
    create(ledger(), 5);
    JdbcLedger ledger = ledger(faulty(true));
    try (Connection holder = stores.connection()) {
      holder.setAutoCommit(false);
      AtomicBoolean asked = new AtomicBoolean();
      CommitPermit blocking =
          new CommitPermit() {
            @Override
            public boolean begin() {
              var unused =
                  CompletableFuture.runAsync(
                      () -> {
                        try {
                          lock(holder);
                        } catch (SQLException e) {
                          throw new AssertionError(e);
                        }
                      });
              // The holder is next in line for the row lock.
              await()
                  .until(
                      () ->
                          stores.number(
                                  "SELECT COUNT(*) FROM information_schema.INNODB_TRX WHERE trx_state = 'LOCK WAIT'")
                              > 0);
              return asked.compareAndSet(false, true);
            }

            @Override
            public void aborted() {}
          };
      assertThat(ledger.record(of("a", "t"), in(1500), blocking).result())
          .isEqualTo(Result.UNKNOWN);
      holder.rollback();
    }
    assertBooks(1);
  }

  /** Real connections, of which the first COMMIT loses its connection after or before it. */
  private DataSource faulty(boolean committed) {
    AtomicBoolean lost = new AtomicBoolean();
    DataSource real = stores.endpoints.dataSource();
    return proxy(
        DataSource.class,
        (method, call) -> {
          Object answer = call.call();
          if (!(answer instanceof Connection connection)) {
            return answer;
          }
          return proxy(
              Connection.class,
              (name, inner) -> {
                if (!name.equals("commit") || !lost.compareAndSet(false, true)) {
                  return inner.call();
                }
                if (committed) {
                  connection.commit();
                }
                connection.abort(Runnable::run);
                throw new SQLException("connection lost", "08S01");
              },
              connection);
        },
        real);
  }

  private interface Call {
    Object call() throws Throwable;
  }

  private interface Around {
    Object around(String method, Call call) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Around around, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                around.around(
                    method.getName(),
                    () -> {
                      try {
                        return method.invoke(target, arguments);
                      } catch (InvocationTargetException e) {
                        throw e.getCause();
                      }
                    })));
  }

  @Test
  void D20_unfitSchemasAreRefusedWithEveryReason() {
    String table = "bad" + coupon;
    LedgerSchema schema = LedgerSchema.defaults().withTables("coupon", table);
    assertThatThrownBy(
            () -> new JdbcLedger(stores.endpoints.dataSource(), schema, new SplittableRandom(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(table + " has no column coupon_id");
    stores.sql(
        "CREATE TABLE "
            + table
            + " (id BIGINT AUTO_INCREMENT PRIMARY KEY, coupon_id BIGINT NULL, user_id VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL, token VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '', UNIQUE KEY uk_three (coupon_id, user_id, token))");
    try {
      assertThatThrownBy(
              () -> new JdbcLedger(stores.endpoints.dataSource(), schema, new SplittableRandom(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no unique key over exactly (coupon_id, user_id)")
          .hasMessageContaining(table + ".coupon_id may be NULL")
          .hasMessageContaining("utf8mb4_general_ci")
          .hasMessageContaining("must hold 64 characters");
    } finally {
      stores.sql("DROP TABLE " + table);
    }
  }

  @Test
  void usersComeInPagesAndFencingFindsRows() {
    JdbcLedger ledger = ledger();
    create(ledger, 5);
    for (String user : List.of("b", "a", "C")) {
      record(ledger, of(user, "t" + user));
    }
    assertThat(ledger.users(coupon, "", 2, in(5000))).containsExactly("C", "a");
    assertThat(ledger.users(coupon, "a", 2, in(5000))).containsExactly("b");
    IssuanceLedger.Fenced fenced =
        ledger.fenceAndLook(coupon, List.of("a", "x"), in(5000)).orElseThrow();
    assertThat(fenced.epoch()).isEqualTo(1);
    assertThat(fenced.tokenByUser()).containsOnly(java.util.Map.entry("a", "ta"));
    stores.sql("UPDATE coupon SET issued = 5 WHERE id = ?", coupon);
    assertThat(ledger.repairCounter(coupon, in(5000))).isTrue();
    assertThat(ledger.repairCounter(coupon, in(5000))).isFalse();
    assertBooks(3);
  }

  @Test
  void D33_killedSessionBeforeCommitIsNotWritten() {
    JdbcLedger ledger = ledger();
    create(ledger, 5);
    CommitPermit killing =
        new CommitPermit() {
          @Override
          public boolean begin() {
            long victim =
                stores.number(
                    "SELECT trx_mysql_thread_id FROM information_schema.INNODB_TRX WHERE trx_rows_modified > 0 ORDER BY trx_started DESC LIMIT 1");
            stores.sql("KILL " + victim);
            return true;
          }

          @Override
          public void aborted() {}
        };
    assertThat(ledger.record(of("a", "t"), in(5000), killing).result())
        .isEqualTo(Result.NOT_WRITTEN);
    assertBooks(0);
    assertThat(record(ledger, of("a", "t2"))).isEqualTo(Result.ISSUED);
  }
}
