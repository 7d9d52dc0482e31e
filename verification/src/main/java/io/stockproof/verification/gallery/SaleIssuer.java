package io.stockproof.verification.gallery;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Endpoints;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * The right gate issuer, and what a sale needs beside: the UPDATE asks whether the coupon is on
 * sale, opening what is open changes nothing, and bad input is refused before anything is sent.
 */
class SaleIssuer extends GateIssuer {
  private static final int LONGEST_USER = 64;
  private static final String ON_SALE =
      " AND status = 'ACTIVE' AND opens_at <= ? AND closes_at > ?";

  SaleIssuer(Endpoints endpoints) {
    super(endpoints);
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) throws Exception {
    check(couponId, userId);
    return issueUnchecked(couponId, userId);
  }

  IssueOutcome issueUnchecked(long couponId, String userId) throws Exception {
    return super.issue(couponId, userId);
  }

  static void check(long couponId, String userId) {
    if (couponId < 1) {
      throw new IllegalArgumentException("coupon id must be 1 or more, was " + couponId);
    }
    if (userId == null || !userId.matches("[!-~]{1," + LONGEST_USER + "}")) {
      throw new IllegalArgumentException(
          "user id must be 1 to " + LONGEST_USER + " printable ASCII characters, was " + userId);
    }
  }

  @Override
  int increase(Connection tx, Ask ask) throws SQLException {
    long now = System.currentTimeMillis();
    return Sql.update(
        tx,
        ADD_ONE + " AND issued < total AND epoch = ?" + ON_SALE,
        ask.couponId(),
        ask.fence(),
        now,
        now);
  }

  @Override
  IssueOutcome refuse(Connection tx, Ask ask) throws SQLException {
    return onSale(tx, ask) ? super.refuse(tx, ask) : IssueOutcome.NOT_OPEN;
  }

  private static boolean onSale(Connection connection, Ask ask) throws SQLException {
    long now = System.currentTimeMillis();
    return Sql.number(
            connection, "SELECT 1 FROM coupon WHERE id = ?" + ON_SALE, ask.couponId(), now, now)
        == 1;
  }

  /** No gate: it was lost, or there is no such coupon. */
  @Override
  IssueOutcome missing(Ask ask) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return onSale(connection, ask) ? IssueOutcome.UNAVAILABLE : IssueOutcome.NOT_OPEN;
    } catch (SQLException noAnswer) {
      return IssueOutcome.UNAVAILABLE;
    }
  }

  @Override
  IssueOutcome settle(Ask ask, IssueOutcome told) {
    super.settle(ask, told == IssueOutcome.NOT_OPEN ? IssueOutcome.UNAVAILABLE : told);
    return told;
  }

  @Override
  public void open(long couponId, long total) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      Sql.update(
          connection, "INSERT IGNORE INTO coupon (id, total) VALUES (?, ?)", couponId, total);
    }
    if (run(GateScripts.SETTLED, couponId).equals("MISSING")) {
      rebuild(couponId);
    }
  }
}
