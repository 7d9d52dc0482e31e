package io.stockproof.ledger;

import io.stockproof.ledger.Recorded.Result;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  private final Set<String> userKeys;
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
    this.userKeys = SchemaCheck.check(dataSource, schema);
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
              return SqlFailures.isOn(userKeys, e)
                  ? Attempt.is(Result.ALREADY_RECORDED, "duplicate")
                  : Attempt.is(Result.NOT_WRITTEN, "another key: " + e.getMessage());
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
    try (PreparedStatement update = session.prepare(sql.count)) {
      update.setLong(1, reservation.couponId());
      update.setLong(2, reservation.epoch());
      return update.executeUpdate() == 1;
    }
  }

  private void insert(Session session, Reservation reservation) throws SQLException {
    try (PreparedStatement insert = session.prepare(sql.insert)) {
      insert.setLong(1, reservation.couponId());
      insert.setString(2, reservation.userId());
      insert.setString(3, reservation.token());
      insert.executeUpdate();
    }
  }

  /** Why nothing was counted, read in a transaction of its own. */
  private Attempt explain(Session session, Reservation reservation) throws SQLException {
    CouponRow coupon;
    String token;
    session.reopen();
    try (PreparedStatement select = session.prepare(sql.explain)) {
      select.setString(1, reservation.userId());
      select.setLong(2, reservation.couponId());
      try (ResultSet rows = select.executeQuery()) {
        if (!rows.next()) {
          return Attempt.is(Result.NOT_ACTIVE, "no such coupon");
        }
        coupon = coupon(rows);
        token = rows.getString(8);
      }
    }
    session.rollback();
    if (token != null) {
      return token.equals(reservation.token())
          ? Attempt.is(Result.ISSUED, "found")
          : Attempt.is(Result.ALREADY_RECORDED, "found another's");
    }
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
          return token.equals(reservation.token())
              ? Attempt.is(Result.ISSUED, doubt + ", committed")
              : Attempt.is(Result.ALREADY_RECORDED, doubt + ", another's");
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
    try (PreparedStatement select = session.prepare(sql.lock)) {
      select.setLong(1, couponId);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
      }
    }
  }

  private @Nullable String tokenOf(Session session, long couponId, String userId)
      throws SQLException {
    try (PreparedStatement select = session.prepare(sql.token)) {
      select.setLong(1, couponId);
      select.setString(2, userId);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? rows.getString(1) : null;
      }
    }
  }

  @Override
  public boolean holds(long couponId, String userId, Deadline deadline) {
    return read("reading a row", deadline, session -> tokenOf(session, couponId, userId) != null);
  }

  @Override
  public Optional<CouponRow> find(long couponId, Deadline deadline) {
    return read("reading a coupon", deadline, session -> find(session, couponId));
  }

  private Optional<CouponRow> find(Session session, long couponId) throws SQLException {
    try (PreparedStatement select = session.prepare(sql.find)) {
      select.setLong(1, couponId);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next() ? Optional.of(coupon(rows)) : Optional.empty();
      }
    }
  }

  private static CouponRow coupon(ResultSet rows) throws SQLException {
    return new CouponRow(
        rows.getLong(1),
        rows.getLong(2),
        rows.getLong(3),
        rows.getString(4).equals(Statements.ACTIVE),
        rows.getLong(5),
        rows.getLong(6),
        rows.getLong(7));
  }

  @Override
  public long countRows(long couponId, Deadline deadline) {
    return read("counting rows", deadline, session -> countRows(session, couponId));
  }

  private long countRows(Session session, long couponId) throws SQLException {
    try (PreparedStatement select = session.prepare(sql.countRows)) {
      select.setLong(1, couponId);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }

  @Override
  public boolean create(CouponRow row, Deadline deadline) {
    return write(
        "writing a coupon",
        deadline,
        session -> {
          try (PreparedStatement insert = session.prepare(sql.create)) {
            insert.setLong(1, row.id());
            insert.setLong(2, row.total());
            insert.setLong(3, row.opensAtMillis());
            insert.setLong(4, row.closesAtMillis());
            insert.executeUpdate();
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
          try (PreparedStatement update = session.prepare(sql.deactivate)) {
            update.setLong(1, couponId);
            update.executeUpdate();
          }
          return find(session, couponId).isPresent();
        });
  }

  @Override
  public Optional<CouponRow> fence(long couponId, Deadline deadline) {
    return write(
        "raising the epoch",
        deadline,
        session -> {
          raiseEpoch(session, couponId);
          return find(session, couponId);
        });
  }

  private void raiseEpoch(Session session, long couponId) throws SQLException {
    try (PreparedStatement update = session.prepare(sql.raiseEpoch)) {
      update.setLong(1, couponId);
      update.executeUpdate();
    }
  }

  @Override
  public List<String> users(long couponId, String after, int limit, Deadline deadline) {
    return read(
        "reading rows",
        deadline,
        session -> {
          try (PreparedStatement select = session.prepare(sql.users)) {
            select.setLong(1, couponId);
            select.setString(2, after);
            select.setInt(3, limit);
            List<String> users = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
              while (rows.next()) {
                users.add(rows.getString(1));
              }
            }
            return users;
          }
        });
  }

  @Override
  public Optional<Fenced> fenceAndLook(long couponId, List<String> userIds, Deadline deadline) {
    return write(
        "fencing reservations",
        deadline,
        session -> {
          // The row lock first: it waits for whoever is in flight, then nobody earlier can commit.
          raiseEpoch(session, couponId);
          Optional<CouponRow> coupon = find(session, couponId);
          if (coupon.isEmpty()) {
            return Optional.empty();
          }
          Map<String, String> tokens = new HashMap<>();
          String marks = String.join(", ", Collections.nCopies(userIds.size(), "?"));
          try (PreparedStatement select = session.prepare(sql.tokens.formatted(marks))) {
            select.setLong(1, couponId);
            for (int i = 0; i < userIds.size(); i++) {
              select.setString(i + 2, userIds.get(i));
            }
            try (ResultSet rows = select.executeQuery()) {
              while (rows.next()) {
                tokens.put(rows.getString(1), rows.getString(2));
              }
            }
          }
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
          if (coupon.isEmpty() || coupon.get().issued() == rows) {
            return false;
          }
          try (PreparedStatement update = session.prepare(sql.setCounter)) {
            update.setLong(1, rows);
            update.setLong(2, couponId);
            return update.executeUpdate() == 1;
          }
        });
  }

  @Override
  public List<Long> coupons(Duration grace, long afterId, int limit, Deadline deadline) {
    return read(
        "reading coupons",
        deadline,
        session -> {
          try (PreparedStatement select = session.prepare(sql.coupons)) {
            select.setLong(1, afterId);
            select.setLong(2, grace.toMillis());
            select.setInt(3, limit);
            List<Long> ids = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
              while (rows.next()) {
                ids.add(rows.getLong(1));
              }
            }
            return ids;
          }
        });
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
