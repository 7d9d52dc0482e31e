package io.stockproof.verification.gallery;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A right issuer with a lock of the database around the transaction, {@code GET_LOCK}, on the same
 * connection: it has no lease, and ends with the session that holds the transaction. Whoever does
 * not get it is told to ask again.
 */
class NamedLockIssuer extends LedgerIssuer {

  NamedLockIssuer(Endpoints endpoints) {
    super(endpoints);
  }

  @Override
  IssueOutcome record(Ask ask) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      if (!lock(connection, ask)) {
        return IssueOutcome.UNAVAILABLE;
      }
      try {
        return transaction(connection, ask);
      } finally {
        unlock(connection, ask);
      }
    }
  }

  @Override
  IssueOutcome write(Connection tx, Ask ask) throws SQLException {
    return writeWhatWasRead(tx, ask);
  }

  boolean lock(Connection connection, Ask ask) {
    try {
      return Sql.number(connection, "SELECT GET_LOCK(?, 0)", name(ask)) == 1;
    } catch (SQLException notLocked) {
      return false;
    }
  }

  void unlock(Connection connection, Ask ask) {
    try {
      connection.setAutoCommit(true);
      Sql.number(connection, "SELECT RELEASE_LOCK(?)", name(ask));
    } catch (SQLException lost) {
      // The lock ends with the session.
      return;
    }
  }

  String name(Ask ask) {
    return "coupon:" + ask.couponId();
  }
}
