package io.stockproof.verification.gallery;

import static io.stockproof.verification.rules.Rule.R601;
import static io.stockproof.verification.rules.Rule.R602;
import static io.stockproof.verification.rules.Rule.R603;

import io.stockproof.IssueOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Mistakes in {@link SaleIssuer}: when it sells, how it is opened, and to whom. */
final class SaleMutants {
  private SaleMutants() {}

  static List<Mutant> all() {
    return List.of(windowNotAsked(), openedOver(), inputCheckedLate());
  }

  private static Mutant windowNotAsked() {
    return Mutant.of(
        Originals::sale,
        "sale-window-not-asked",
        "D03",
        "the UPDATE asks for the id and for stock, not whether the coupon is on sale",
        R601,
        endpoints ->
            new SaleIssuer(endpoints) {
              @Override
              int increase(Connection tx, Ask ask) throws SQLException {
                return Sql.update(
                    tx, ADD_ONE + " AND issued < total AND epoch = ?", ask.couponId(), ask.fence());
              }
            });
  }

  private static Mutant openedOver() {
    return Mutant.of(
        Originals::sale,
        "sale-opened-over",
        "G25",
        "each opening sets the stock to the total, also that of what is being sold",
        R602,
        endpoints ->
            new SaleIssuer(endpoints) {
              @Override
              public void open(long couponId, long total) throws SQLException {
                super.open(couponId, total);
                redis.commands().set(keys(couponId)[0], Long.toString(total));
              }
            });
  }

  private static Mutant inputCheckedLate() {
    return Mutant.of(
        Originals::sale,
        "sale-input-checked-late",
        "T08",
        "input is checked when the row is written: the gate has given a unit by then",
        R603,
        endpoints ->
            new SaleIssuer(endpoints) {
              @Override
              public IssueOutcome issue(long couponId, String userId) throws Exception {
                return issueUnchecked(couponId, userId);
              }

              @Override
              void insert(Connection tx, Ask ask) throws SQLException {
                check(ask.couponId(), ask.userId());
                super.insert(tx, ask);
              }
            });
  }
}
