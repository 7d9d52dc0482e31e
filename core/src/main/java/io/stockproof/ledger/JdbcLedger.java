package io.stockproof.ledger;

import io.stockproof.ledger.Recorded.Result;
import java.sql.ResultSet;
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
import org.jspecify.annotations.Nullable;

/** The ledger on MySQL and MariaDB, one transaction a reservation. */
public final class JdbcLedger implements IssuanceLedger {

  private static final long FIRST_PAUSE_NANOS = 1_000_000;
  private static final long LONGEST_PAUSE_NANOS = 50_000_000;

  private final DataSource dataSource;
  private final Statements sql;
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
    this.random = random;
  }

  @Override
  public Recorded record(Reservation reservation, Deadline deadline, CommitPermit permit) {
    long pauseNanos = FIRST_PAUSE_NANOS;
    String last = "not started";
    while (!deadline.passed()) {
      Attempt attempt = attempt(reservation, deadline, permit);
      if (attempt.recorded != null) {
        return attempt.recorded;
      }
      last = attempt.detail;
      // Jittered, so that those who collided do not collide again (public case D28).
      long pause = Math.min(random.nextLong(pauseNanos) + 1, deadline.remainingNanos());
      LockSupport.parkNanos(pause);
      if (Thread.currentThread().isInterrupted()) {
        return Recorded.of(Result.NOT_WRITTEN, "interrupted after " + last);
      }
      pauseNanos = Math.min(pauseNanos * 2, LONGEST_PAUSE_NANOS);
    }
    return Recorded.of(Result.NOT_WRITTEN, "deadline after " + last);
  }

  /** What one transaction came to; without a result, another may be tried. */
  private record Attempt(@Nullable Recorded recorded, String detail) {
    static Attempt is(Result result, String detail) {
      return new Attempt(Recorded.of(result, detail), detail);
    }

    static Attempt again(String detail) {
      return new Attempt(null, detail);
    }
  }

  private Attempt attempt(Reservation reservation, Deadline deadline, CommitPermit permit) {
    boolean committing = false;
    String doubt = "";
    try (Session session = begin(deadline)) {
      if (session == null) {
        return Attempt.is(Result.NOT_WRITTEN, "no connection");
      }
      try {
        if (deadline.passed()) {
          return Attempt.is(Result.NOT_WRITTEN, "no connection in time");
        }
        if (!count(session, reservation)) {
          session.rollback();
          return explain(session, reservation);
        }
        insert(session, reservation);
        if (!permit.begin()) {
          session.rollback();
          return Attempt.is(Result.NOT_WRITTEN, "the caller has left");
        }
        committing = true;
        session.commit();
        return Attempt.is(Result.ISSUED, "committed");
      } catch (SQLException e) {
        switch (SqlFailures.meaning(e)) {
          case CONFLICT -> {
            session.rollback();
            if (committing) {
              permit.aborted();
            }
            return Attempt.again("conflict " + e.getErrorCode());
          }
          case DUPLICATE -> {
            session.rollback();
            if (!committing) {
              return duplicate(session, reservation);
            }
          }
          case CONNECTION_LOST -> session.doubt();
          case REFUSED -> {
            // Out of COMMIT even a refusal leaves it open what became of it.
            if (committing) {
              session.doubt();
            } else {
              session.rollback();
            }
          }
        }
        if (!committing) {
          return Attempt.is(
              Result.NOT_WRITTEN, "error " + e.getErrorCode() + ": " + e.getMessage());
        }
        doubt = "error " + e.getErrorCode() + " out of COMMIT";
      }
    }
    // Outside of the block: the lost connection is given up before a fresh one is waited for.
    return lookUp(reservation, deadline, doubt);
  }

  private @Nullable Session begin(Deadline deadline) {
    try {
      return Session.begin(dataSource, deadline);
    } catch (SQLException e) {
      return null;
    }
  }

  private boolean count(Session session, Reservation reservation) throws SQLException {
    return session.update(sql.count, reservation.couponId(), reservation.epoch()) == 1;
  }

  private void insert(Session session, Reservation reservation) throws SQLException {
    session.update(sql.insert, reservation.couponId(), reservation.userId(), reservation.token());
  }

  /**
   * Which key 1062 was about is asked of the rows, not of its message, which comes in the language
   * of the server: another key, such as one over the token, never means "this user has one".
   */
  private Attempt duplicate(Session session, Reservation reservation) {
    try {
      session.reopen();
      String token = tokenOf(session, reservation.couponId(), reservation.userId());
      session.rollback();
      return token == null
          ? Attempt.is(Result.NOT_WRITTEN, "a duplicate of another key")
          : found(reservation, token, "duplicate");
    } catch (SQLException e) {
      session.doubt();
      return Attempt.is(Result.NOT_WRITTEN, "a duplicate, of whom was not answered");
    }
  }

  private static Attempt found(Reservation reservation, String token, String how) {
    return token.equals(reservation.token())
        ? Attempt.is(Result.ISSUED, how + ", by this request")
        : Attempt.is(Result.ALREADY_RECORDED, how + ", by another request");
  }

  /** Why nothing was counted, read in a transaction of its own. */
  private Attempt explain(Session session, Reservation reservation) throws SQLException {
    session.reopen();
    Optional<Standing> standing = standing(session, reservation.couponId(), reservation.userId());
    session.rollback();
    if (standing.isEmpty()) {
      return Attempt.is(Result.NOT_ACTIVE, "no such coupon");
    }
    String token = standing.get().token();
    if (token != null) {
      return found(reservation, token, "found");
    }
    CouponRow coupon = standing.get().coupon();
    if (coupon.epoch() != reservation.epoch()) {
      return new Attempt(new Recorded(Result.FENCED, coupon.epoch(), "fenced"), "fenced");
    }
    if (!coupon.active()) {
      return Attempt.is(Result.NOT_ACTIVE, "closed");
    }
    return coupon.issued() >= coupon.total()
        ? Attempt.is(Result.EXHAUSTED, "full")
        : Attempt.again("a change in between");
  }

  /**
   * What became of a COMMIT without an answer. The row lock waits until the lost session has ended
   * either way; only then does the look tell the truth.
   */
  private Attempt lookUp(Reservation reservation, Deadline deadline, String doubt) {
    while (!deadline.passed()) {
      try (Session session = begin(deadline)) {
        if (session == null) {
          LockSupport.parkNanos(FIRST_PAUSE_NANOS);
          continue;
        }
        try {
          lock(session, reservation.couponId());
          String token = tokenOf(session, reservation.couponId(), reservation.userId());
          session.rollback();
          if (token == null) {
            return Attempt.is(Result.NOT_WRITTEN, doubt + ", rolled back");
          }
          return found(reservation, token, doubt);
        } catch (SQLException e) {
          if (SqlFailures.meaning(e) == SqlFailures.Meaning.CONNECTION_LOST) {
            session.doubt();
          }
        }
      }
      LockSupport.parkNanos(Math.min(FIRST_PAUSE_NANOS, Math.max(1, deadline.remainingNanos())));
    }
    return Attempt.is(Result.UNKNOWN, doubt);
  }

  private void lock(Session session, long couponId) throws SQLException {
    session.first(sql.lock, row -> row.getLong(1), couponId);
  }

  private @Nullable String tokenOf(Session session, long couponId, String userId)
      throws SQLException {
    return session.first(sql.token, row -> row.getString(1), couponId, userId).orElse(null);
  }

  @Override
  public boolean holds(long couponId, String userId, Deadline deadline) {
    return read("reading a row", deadline, session -> tokenOf(session, couponId, userId) != null);
  }

  @Override
  public Optional<Standing> standing(long couponId, String userId, Deadline deadline) {
    return read("reading a coupon", deadline, session -> standing(session, couponId, userId));
  }

  private Optional<Standing> standing(Session session, long couponId, String userId)
      throws SQLException {
    return session.first(
        sql.standing,
        row -> new Standing(coupon(row), row.getString(8), row.getLong(9) / 1000),
        userId,
        couponId);
  }

  @Override
  public Optional<CouponRow> find(long couponId, Deadline deadline) {
    return read("reading a coupon", deadline, session -> find(session, couponId));
  }

  private Optional<CouponRow> find(Session session, long couponId) throws SQLException {
    return session.first(sql.find, JdbcLedger::coupon, couponId);
  }

  private static CouponRow coupon(ResultSet row) throws SQLException {
    return new CouponRow(
        row.getLong(1),
        row.getLong(2),
        row.getLong(3),
        row.getString(4).equals(Statements.ACTIVE),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7));
  }

  @Override
  public long countRows(long couponId, Deadline deadline) {
    return read("counting rows", deadline, session -> countRows(session, couponId));
  }

  private long countRows(Session session, long couponId) throws SQLException {
    return session.first(sql.countRows, row -> row.getLong(1), couponId).orElseThrow();
  }

  @Override
  public boolean create(CouponRow row, Deadline deadline) {
    return write(
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
    return write(
        "closing a coupon",
        deadline,
        session -> {
          session.update(sql.deactivate, couponId);
          return find(session, couponId).isPresent();
        });
  }

  @Override
  public Optional<CouponRow> fence(long couponId, Deadline deadline) {
    return write(
        "raising the epoch",
        deadline,
        session -> {
          session.update(sql.raiseEpoch, couponId);
          return find(session, couponId);
        });
  }

  @Override
  public List<String> users(long couponId, String after, int limit, Deadline deadline) {
    return read(
        "reading rows",
        deadline,
        session -> session.all(sql.users, row -> row.getString(1), couponId, after, limit));
  }

  @Override
  public Optional<Fenced> fenceAndLook(long couponId, List<String> userIds, Deadline deadline) {
    return write(
        "fencing reservations",
        deadline,
        session -> {
          // The row lock first: it waits for whoever is in flight, then nobody earlier can commit.
          session.update(sql.raiseEpoch, couponId);
          Optional<CouponRow> coupon = find(session, couponId);
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
    return write(
        "repairing a counter",
        deadline,
        session -> {
          // Under the row lock no counted row is uncommitted, so counter and rows stand still.
          lock(session, couponId);
          Optional<CouponRow> coupon = find(session, couponId);
          long rows = countRows(session, couponId);
          return coupon.isPresent()
              && coupon.get().issued() != rows
              && session.update(sql.setCounter, rows, couponId) == 1;
        });
  }

  @Override
  public List<Long> coupons(Duration grace, long afterId, int limit, Deadline deadline) {
    return read(
        "reading coupons",
        deadline,
        session ->
            session.all(sql.coupons, row -> row.getLong(1), afterId, grace.toMillis(), limit));
  }

  @FunctionalInterface
  private interface Work<T> {
    T on(Session session) throws SQLException;
  }

  private <T> T read(String what, Deadline deadline, Work<T> work) {
    return run(what, deadline, work, false);
  }

  private <T> T write(String what, Deadline deadline, Work<T> work) {
    return run(what, deadline, work, true);
  }

  /** For everything that may simply be done again: conflicts are, until the deadline. */
  private <T> T run(String what, Deadline deadline, Work<T> work, boolean writes) {
    while (true) {
      try (Session session = Session.begin(dataSource, deadline)) {
        try {
          T result = work.on(session);
          if (writes) {
            session.commit();
          }
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
        LockSupport.parkNanos(random.nextLong(FIRST_PAUSE_NANOS) + 1);
      }
    }
  }
}
