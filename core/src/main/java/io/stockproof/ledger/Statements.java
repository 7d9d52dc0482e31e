package io.stockproof.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The ledger's SQL with the names of one schema, and how its answers are read. */
final class Statements {

  static final String ACTIVE = "ACTIVE";

  /** Changes the row whenever it matches, so affected and found rows are the same number (D22). */
  final String count;

  final String insert;
  private final String standing;
  final String lock;
  private final String token;
  final String tokens;
  private final String find;
  private final String countRows;
  final String create;
  final String deactivate;
  final String raiseEpoch;
  final String users;
  final String setCounter;
  final String coupons;

  Statements(LedgerSchema schema) {
    LedgerSchema.CouponColumns c = schema.coupon();
    LedgerSchema.IssuanceColumns i = schema.issuance();
    String coupon = schema.couponTable();
    String issuance = schema.issuanceTable();
    String couponColumns =
        "c.%s, c.%s, c.%s, c.%s, c.%s, c.%s, c.%s"
            .formatted(
                c.id(), c.total(), c.issued(), c.status(), c.opensAt(), c.closesAt(), c.epoch());

    count =
        "UPDATE %1$s SET %2$s = %2$s + 1 WHERE %3$s = ? AND %4$s = '%5$s' AND %2$s < %6$s AND %7$s = ?"
            .formatted(coupon, c.issued(), c.id(), c.status(), ACTIVE, c.total(), c.epoch());
    insert =
        "INSERT INTO %s (%s, %s, %s) VALUES (?, ?, ?)"
            .formatted(issuance, i.couponId(), i.userId(), i.token());
    // One statement is one snapshot: coupon and row belong together. The time is microseconds since
    // 1970, whatever the time zone of the session.
    standing =
        "SELECT %s, i.%s, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) FROM %s c LEFT JOIN %s i ON i.%s = c.%s AND i.%s = ? WHERE c.%s = ?"
            .formatted(
                couponColumns,
                i.token(),
                coupon,
                issuance,
                i.couponId(),
                c.id(),
                i.userId(),
                c.id());
    lock = "SELECT %1$s FROM %2$s WHERE %1$s = ? FOR UPDATE".formatted(c.id(), coupon);
    token =
        "SELECT %s FROM %s WHERE %s = ? AND %s = ?"
            .formatted(i.token(), issuance, i.couponId(), i.userId());
    tokens =
        "SELECT %1$s, %2$s FROM %3$s WHERE %4$s = ? AND %1$s IN (%%s)"
            .formatted(i.userId(), i.token(), issuance, i.couponId());
    find = "SELECT %s FROM %s c WHERE c.%s = ?".formatted(couponColumns, coupon, c.id());
    countRows = "SELECT COUNT(*) FROM %s WHERE %s = ?".formatted(issuance, i.couponId());
    create =
        "INSERT INTO %s (%s, %s, %s, %s, %s, %s, %s) VALUES (?, ?, 0, '%s', ?, ?, 0)"
            .formatted(
                coupon,
                c.id(),
                c.total(),
                c.issued(),
                c.status(),
                c.opensAt(),
                c.closesAt(),
                c.epoch(),
                ACTIVE);
    deactivate = "UPDATE %s SET %s = 'CLOSED' WHERE %s = ?".formatted(coupon, c.status(), c.id());
    raiseEpoch =
        "UPDATE %1$s SET %2$s = %2$s + 1 WHERE %3$s = ?".formatted(coupon, c.epoch(), c.id());
    // Along the unique key; each page starts where the last one ended.
    users =
        "SELECT %1$s FROM %2$s WHERE %3$s = ? AND %1$s > ? ORDER BY %1$s LIMIT ?"
            .formatted(i.userId(), issuance, i.couponId());
    setCounter = "UPDATE %s SET %s = ? WHERE %s = ?".formatted(coupon, c.issued(), c.id());
    coupons =
        "SELECT %1$s FROM %2$s WHERE %1$s > ? AND %3$s > UNIX_TIMESTAMP() * 1000 - ? ORDER BY %1$s LIMIT ?"
            .formatted(c.id(), coupon, c.closesAt());
  }

  /** Waits until whoever holds the coupon's row has ended, and keeps others from it. */
  void lock(Session session, long couponId) throws SQLException {
    session.first(lock, row -> row.getLong(1), couponId);
  }

  /** Of the user's row; null if there is none. */
  @Nullable String tokenOf(Session session, long couponId, String userId) throws SQLException {
    return session.first(token, row -> row.getString(1), couponId, userId).orElse(null);
  }

  Optional<Standing> standing(Session session, long couponId, String userId) throws SQLException {
    return session.first(
        standing,
        row -> new Standing(coupon(row), row.getString(8), row.getLong(9) / 1000),
        userId,
        couponId);
  }

  Optional<CouponRow> find(Session session, long couponId) throws SQLException {
    return session.first(find, Statements::coupon, couponId);
  }

  long countRows(Session session, long couponId) throws SQLException {
    return session.first(countRows, row -> row.getLong(1), couponId).orElseThrow();
  }

  private static CouponRow coupon(ResultSet row) throws SQLException {
    return new CouponRow(
        row.getLong(1),
        row.getLong(2),
        row.getLong(3),
        row.getString(4).equals(ACTIVE),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7));
  }
}
