package io.stockproof.ledger;

import io.stockproof.ledger.Recorded.Result;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How a reservation becomes a row: the one transaction, and what each of its failures means. */
final class Recording {

  private static final long FIRST_PAUSE_NANOS = 1_000_000;
  private static final long LONGEST_PAUSE_NANOS = 50_000_000;

  private final DataSource dataSource;
  private final Statements sql;
  private final RandomGenerator random;

  Recording(DataSource dataSource, Statements sql, RandomGenerator random) {
    this.dataSource = dataSource;
    this.sql = sql;
    this.random = random;
  }

  /** As {@link IssuanceLedger#record}. */
  Recorded record(Reservation reservation, Deadline deadline, CommitPermit permit) {
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
      String token = sql.tokenOf(session, reservation.couponId(), reservation.userId());
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
    Optional<Standing> standing =
        sql.standing(session, reservation.couponId(), reservation.userId());
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
          sql.lock(session, reservation.couponId());
          String token = sql.tokenOf(session, reservation.couponId(), reservation.userId());
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
}
