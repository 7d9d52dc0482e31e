package io.stockproof.verification.gallery;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import io.stockproof.verification.Subject;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A right issuer that needs no Redis: in one transaction a conditional {@code UPDATE} that decides,
 * then the row under its unique key. Each step is a method, so that a mutant can get one wrong.
 */
class LedgerIssuer implements Subject.Instance {
  static final String ADD_ROW = "INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)";
  static final String ADD_ONE = "UPDATE coupon SET issued = issued + 1 WHERE id = ?";
  static final String SET_ISSUED = "UPDATE coupon SET issued = ? WHERE id = ?";
  static final String READ_COUPON = "SELECT issued, total FROM coupon WHERE id = ?";
  static final String READ_ROW = "SELECT 1 FROM issued_coupon WHERE coupon_id = ? AND user_id = ?";
  static final String COUNT_ROWS = "SELECT COUNT(*) FROM issued_coupon WHERE coupon_id = ?";

  final DataSource dataSource;

  LedgerIssuer(Endpoints endpoints) {
    this(endpoints.dataSource());
  }

  LedgerIssuer(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) throws Exception {
    return record(Ask.of(couponId, userId));
  }

  /** One connection for one request. */
  IssueOutcome record(Ask ask) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return transaction(connection, ask);
    }
  }

  IssueOutcome transaction(Connection tx, Ask ask) throws SQLException {
    tx.setAutoCommit(false);
    IssueOutcome told;
    try {
      told = write(tx, ask);
    } catch (SQLException failure) {
      rollBack(tx);
      return failed(ask, failure);
    }
    if (told != IssueOutcome.ISSUED) {
      rollBack(tx);
      return told;
    }
    return commit(tx, ask);
  }

  /** The UPDATE decides and locks the coupon's row until the end; whoever comes later waits. */
  IssueOutcome write(Connection tx, Ask ask) throws SQLException {
    if (increase(tx, ask) == 0) {
      return refuse(tx, ask);
    }
    insert(tx, ask);
    return IssueOutcome.ISSUED;
  }

  /** Reads, checks and writes: right only where a lock lets one at a time do so. */
  IssueOutcome writeWhatWasRead(Connection tx, Ask ask) throws SQLException {
    long[] coupon = Sql.numbers(tx, 2, READ_COUPON, ask.couponId());
    if (coupon[0] >= coupon[1]) {
      return refuse(tx, ask);
    }
    insert(tx, ask);
    Sql.update(tx, SET_ISSUED, coupon[0] + 1, ask.couponId());
    return IssueOutcome.ISSUED;
  }

  int increase(Connection tx, Ask ask) throws SQLException {
    return Sql.update(tx, ADD_ONE + " AND issued < total", ask.couponId());
  }

  void insert(Connection tx, Ask ask) throws SQLException {
    Sql.update(tx, ADD_ROW, ask.couponId(), ask.userId());
  }

  /** Why nothing was updated. */
  IssueOutcome refuse(Connection tx, Ask ask) throws SQLException {
    if (Sql.number(tx, READ_ROW, ask.couponId(), ask.userId()) == 1) {
      return IssueOutcome.DUPLICATE;
    }
    long[] coupon = Sql.numbers(tx, 2, READ_COUPON, ask.couponId());
    return coupon[0] >= coupon[1] ? IssueOutcome.SOLD_OUT : IssueOutcome.UNAVAILABLE;
  }

  /** Before COMMIT was sent nothing can have been written. */
  IssueOutcome failed(Ask ask, SQLException failure) throws SQLException {
    return Sql.isDuplicate(failure) ? IssueOutcome.DUPLICATE : IssueOutcome.UNAVAILABLE;
  }

  /** After it, only the server's own refusal says that nothing was. */
  IssueOutcome commit(Connection tx, Ask ask) throws SQLException {
    try {
      tx.commit();
      return IssueOutcome.ISSUED;
    } catch (SQLException failure) {
      return Sql.isConflict(failure) ? IssueOutcome.UNAVAILABLE : IssueOutcome.UNKNOWN;
    }
  }

  static void rollBack(Connection tx) {
    try {
      tx.rollback();
    } catch (SQLException lost) {
      // With the connection the server drops the transaction.
      return;
    }
  }
}
