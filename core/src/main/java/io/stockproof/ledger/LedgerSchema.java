package io.stockproof.ledger;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Names of the ledger's tables and columns. Each is an unquoted SQL identifier: a letter or
 * underscore, then letters, digits and underscores, 64 at most; a table may carry its schema in
 * front, with a dot.
 *
 * <p>{@code opens_at} and {@code closes_at} are {@code BIGINT} epoch milliseconds: a {@code
 * TIMESTAMP} would pass through the time zones of driver and session, and end in 2038.
 *
 * @param couponTable the table of coupons
 * @param issuanceTable the table of issuance rows
 * @param coupon columns of the first
 * @param issuance columns of the second
 */
public record LedgerSchema(
    String couponTable, String issuanceTable, CouponColumns coupon, IssuanceColumns issuance) {

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");

  /** Checks the names. */
  public LedgerSchema {
    checkTable("couponTable", couponTable);
    checkTable("issuanceTable", issuanceTable);
  }

  /** Tables {@code coupon} and {@code issued_coupon}. */
  public static LedgerSchema defaults() {
    return new LedgerSchema(
        "coupon", "issued_coupon", CouponColumns.defaults(), IssuanceColumns.defaults());
  }

  /** The same columns in other tables. */
  public LedgerSchema withTables(String newCouponTable, String newIssuanceTable) {
    return new LedgerSchema(newCouponTable, newIssuanceTable, coupon, issuance);
  }

  /**
   * Statements that create both tables where they are absent. Token, time and counters have
   * defaults, so that other issuers can insert into the same tables.
   */
  public List<String> ddl() {
    return List.of(
        """
        CREATE TABLE IF NOT EXISTS %s (
          %s BIGINT NOT NULL PRIMARY KEY,
          %s BIGINT NOT NULL,
          %s BIGINT NOT NULL DEFAULT 0,
          %s VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'ACTIVE',
          %s BIGINT NOT NULL DEFAULT 0,
          %s BIGINT NOT NULL DEFAULT 253402300799999,
          %s BIGINT NOT NULL DEFAULT 0
        ) ENGINE=InnoDB"""
            .formatted(
                couponTable,
                coupon.id(),
                coupon.total(),
                coupon.issued(),
                coupon.status(),
                coupon.opensAt(),
                coupon.closesAt(),
                coupon.epoch()),
        """
        CREATE TABLE IF NOT EXISTS %s (
          id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
          %s BIGINT NOT NULL,
          %s VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
          %s VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
          %s TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
          UNIQUE KEY uk_issued_coupon_user (%s, %s)
        ) ENGINE=InnoDB"""
            .formatted(
                issuanceTable,
                issuance.couponId(),
                issuance.userId(),
                issuance.token(),
                issuance.issuedAt(),
                issuance.couponId(),
                issuance.userId()));
  }

  private static void checkTable(String parameter, String name) {
    String[] parts = name.split("\\.", -1);
    if (parts.length > 2) {
      throw new IllegalArgumentException(
          parameter + " must be a table or schema.table, was '" + name + "'");
    }
    for (String part : parts) {
      check(parameter, part);
    }
  }

  private static void check(String parameter, String name) {
    if (!IDENTIFIER.matcher(name).matches()) {
      throw new IllegalArgumentException(
          parameter
              + " must be letters, digits and underscores, 64 at most and no digit first, was '"
              + name
              + "'");
    }
  }

  /**
   * Columns of the coupon table.
   *
   * @param id primary key
   * @param total units put on sale
   * @param issued the counter
   * @param status {@code ACTIVE} or {@code CLOSED}
   * @param opensAt epoch milliseconds
   * @param closesAt epoch milliseconds
   * @param epoch the fencing number
   */
  public record CouponColumns(
      String id,
      String total,
      String issued,
      String status,
      String opensAt,
      String closesAt,
      String epoch) {

    /** Checks the names. */
    public CouponColumns {
      check("coupon.id", id);
      check("coupon.total", total);
      check("coupon.issued", issued);
      check("coupon.status", status);
      check("coupon.opensAt", opensAt);
      check("coupon.closesAt", closesAt);
      check("coupon.epoch", epoch);
    }

    /** The default names: id, total, issued, status, opens_at, closes_at, epoch. */
    public static CouponColumns defaults() {
      return new CouponColumns("id", "total", "issued", "status", "opens_at", "closes_at", "epoch");
    }
  }

  /**
   * Columns of the issuance table.
   *
   * @param couponId which coupon
   * @param userId whose; binary collation
   * @param token of the request that wrote the row
   * @param issuedAt when
   */
  public record IssuanceColumns(String couponId, String userId, String token, String issuedAt) {

    /** Checks the names. */
    public IssuanceColumns {
      check("issuance.couponId", couponId);
      check("issuance.userId", userId);
      check("issuance.token", token);
      check("issuance.issuedAt", issuedAt);
    }

    /** The default names: coupon_id, user_id, token, issued_at. */
    public static IssuanceColumns defaults() {
      return new IssuanceColumns("coupon_id", "user_id", "token", "issued_at");
    }
  }
}
