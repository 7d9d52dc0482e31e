package io.stockproof.ledger;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;

/** The ledger on MySQL and MariaDB, one transaction a reservation ({@link Recording}). */
public final class JdbcLedger implements IssuanceLedger {

  private static final long PAUSE_NANOS = 1_000_000;

  private final DataSource dataSource;
  private final Statements sql;
  private final Recording recording;
  private final RandomGenerator random;

  /**
   * Checks the schema, then uses it.
   *
   * @param dataSource connections; one is held for each call and nothing else is waited for with it
   * @param schema names of tables and columns
   * @param random for the pauses between attempts
   * @throws IllegalStateException if the schema is not fit: names every reason
   * @throws LedgerException if the database did not answer
   */
  public JdbcLedger(DataSource dataSource, LedgerSchema schema, RandomGenerator random) {
    this.dataSource = dataSource;
    this.sql = new Statements(schema);
    SchemaCheck.check(dataSource, schema);
    this.recording = new Recording(dataSource, sql, random);
    this.random = random;
  }

  @Override
  public Recorded record(Reservation reservation, Deadline deadline, CommitPermit permit) {
    return recording.record(reservation, deadline, permit);
  }

  @Override
  public boolean holds(long couponId, String userId, Deadline deadline) {
    return oneStatement(
        "reading a row", deadline, session -> sql.tokenOf(session, couponId, userId) != null);
  }

  @Override
  public Optional<Standing> standing(long couponId, String userId, Deadline deadline) {
    return oneStatement(
        "reading a coupon", deadline, session -> sql.standing(session, couponId, userId));
  }

  @Override
  public Optional<CouponRow> find(long couponId, Deadline deadline) {
    return oneStatement("reading a coupon", deadline, session -> sql.find(session, couponId));
  }

  @Override
  public long countRows(long couponId, Deadline deadline) {
    return oneStatement("counting rows", deadline, session -> sql.countRows(session, couponId));
  }

  @Override
  public boolean create(CouponRow row, Deadline deadline) {
    return oneStatement(
        "writing a coupon",
        deadline,
        session -> {
          try {
            session.update(
                sql.create, row.id(), row.total(), row.opensAtMillis(), row.closesAtMillis());
            return true;
          } catch (SQLException e) {
            if (SqlFailures.meaning(e) == SqlFailures.Meaning.DUPLICATE) {
              return false;
            }
            throw e;
          }
        });
  }

  @Override
  public boolean deactivate(long couponId, Deadline deadline) {
    return transaction(
        "closing a coupon",
        deadline,
        session -> {
          session.update(sql.deactivate, couponId);
          return sql.find(session, couponId).isPresent();
        });
  }

  @Override
  public Optional<CouponRow> fence(long couponId, Deadline deadline) {
    return transaction(
        "raising the epoch",
        deadline,
        session -> {
          session.update(sql.raiseEpoch, couponId);
          return sql.find(session, couponId);
        });
  }

  @Override
  public List<String> users(long couponId, String after, int limit, Deadline deadline) {
    return oneStatement(
        "reading rows",
        deadline,
        session -> session.all(sql.users, row -> row.getString(1), couponId, after, limit));
  }

  @Override
  public Optional<Fenced> fenceAndLook(long couponId, List<String> userIds, Deadline deadline) {
    return transaction(
        "fencing reservations",
        deadline,
        session -> {
          // The row lock first: it waits for whoever is in flight, then nobody earlier can commit.
          session.update(sql.raiseEpoch, couponId);
          Optional<CouponRow> coupon = sql.find(session, couponId);
          if (coupon.isEmpty()) {
            return Optional.empty();
          }
          String marks = String.join(", ", Collections.nCopies(userIds.size(), "?"));
          List<Object> arguments = new ArrayList<>(userIds);
          arguments.add(0, couponId);
          Map<String, String> tokens = new HashMap<>();
          session.all(
              sql.tokens.formatted(marks),
              row -> tokens.put(row.getString(1), row.getString(2)),
              arguments.toArray());
          return Optional.of(new Fenced(coupon.get().epoch(), tokens));
        });
  }

  @Override
  public boolean repairCounter(long couponId, Deadline deadline) {
    return transaction(
        "repairing a counter",
        deadline,
        session -> {
          // Under the row lock no counted row is uncommitted, so counter and rows stand still.
          sql.lock(session, couponId);
          Optional<CouponRow> coupon = sql.find(session, couponId);
          long rows = sql.countRows(session, couponId);
          return coupon.isPresent()
              && coupon.get().issued() != rows
              && session.update(sql.setCounter, rows, couponId) == 1;
        });
  }

  @Override
  public List<Long> coupons(Duration grace, long afterId, int limit, Deadline deadline) {
    return oneStatement(
        "reading coupons",
        deadline,
        session ->
            session.all(sql.coupons, row -> row.getLong(1), afterId, grace.toMillis(), limit));
  }

  @FunctionalInterface
  private interface Work<T> {
    T on(Session session) throws SQLException;
  }

  private <T> T oneStatement(String what, Deadline deadline, Work<T> work) {
    return run(what, deadline, work, false);
  }

  private <T> T transaction(String what, Deadline deadline, Work<T> work) {
    return run(what, deadline, work, true);
  }

  /** For everything that may simply be done again: conflicts are, until the deadline. */
  private <T> T run(String what, Deadline deadline, Work<T> work, boolean several) {
    while (true) {
      try (Session session =
          several
              ? Session.begin(dataSource, deadline)
              : Session.forOneStatement(dataSource, deadline)) {
        try {
          T result = work.on(session);
          session.commit();
          return result;
        } catch (SQLException e) {
          if (SqlFailures.meaning(e) == SqlFailures.Meaning.CONNECTION_LOST) {
            session.doubt();
          }
          throw e;
        }
      } catch (SQLException e) {
        if (SqlFailures.meaning(e) != SqlFailures.Meaning.CONFLICT || deadline.passed()) {
          throw new LedgerException(what + " failed: " + e.getMessage(), e);
        }
        LockSupport.parkNanos(random.nextLong(PAUSE_NANOS) + 1);
      }
    }
  }
}
