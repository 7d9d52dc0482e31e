package io.stockproof.verification;

import io.stockproof.ledger.LedgerSchema;
import java.util.List;
import java.util.stream.Stream;

/**
 * The tables of a subject and how the verifier reads and resets them. Each statement can be
 * replaced by itself; parameters are bound in the order stated.
 *
 * @param create creates the tables
 * @param drop removes them, if they exist
 * @param openCoupon puts a coupon on sale; parameters: coupon id, total
 * @param forgetCoupon remove every trace of a coupon; parameter of each: coupon id
 * @param books counter and rows of a coupon in one statement, so that they belong together, as
 *     {@code (counter, user id, rows)}; the user id is null if there are no rows; parameter: coupon
 *     id
 * @param holds any row if the user holds one; parameters: coupon id, user id
 */
public record LedgerQueries(
    List<String> create,
    List<String> drop,
    String openCoupon,
    List<String> forgetCoupon,
    String books,
    String holds) {

  private static final String UNIQUE_KEY = "UNIQUE KEY uk_issued_coupon_user";
  private static final String PLAIN_KEY = "KEY ix_issued_coupon_user";

  /** Copies the lists. */
  public LedgerQueries {
    create = List.copyOf(create);
    drop = List.copyOf(drop);
    forgetCoupon = List.copyOf(forgetCoupon);
  }

  /** Tables {@code coupon} and {@code issued_coupon}, one row a user and coupon by a unique key. */
  public static LedgerQueries defaults() {
    return new LedgerQueries(
        LedgerSchema.defaults().ddl(),
        List.of("DROP TABLE IF EXISTS issued_coupon", "DROP TABLE IF EXISTS coupon"),
        "INSERT INTO coupon (id, total) VALUES (?, ?)",
        List.of("DELETE FROM issued_coupon WHERE coupon_id = ?", "DELETE FROM coupon WHERE id = ?"),
        """
        SELECT c.issued, i.user_id, COUNT(i.user_id)
          FROM coupon c LEFT JOIN issued_coupon i ON i.coupon_id = c.id
         WHERE c.id = ?
         GROUP BY c.issued, i.user_id""",
        "SELECT 1 FROM issued_coupon WHERE coupon_id = ? AND user_id = ? LIMIT 1");
  }

  /** The same with a plain index where the unique key was: as in 001 and 004. */
  public LedgerQueries withoutUniqueKey() {
    return withCreate(create.stream().map(sql -> sql.replace(UNIQUE_KEY, PLAIN_KEY)).toList());
  }

  /** The same with a unique key again. */
  public LedgerQueries withUniqueKey() {
    return withCreate(create.stream().map(sql -> sql.replace(PLAIN_KEY, UNIQUE_KEY)).toList());
  }

  /**
   * The same with one more column of the coupon.
   *
   * @param definition as in {@code CREATE TABLE}, with a default
   */
  public LedgerQueries withCouponColumn(String definition) {
    return withCreate(
        Stream.concat(create.stream(), Stream.of("ALTER TABLE coupon ADD COLUMN " + definition))
            .toList());
  }

  /** Other statements that create the tables. */
  public LedgerQueries withCreate(List<String> statements) {
    return new LedgerQueries(statements, drop, openCoupon, forgetCoupon, books, holds);
  }

  /** Other statements that remove the tables. */
  public LedgerQueries withDrop(List<String> statements) {
    return new LedgerQueries(create, statements, openCoupon, forgetCoupon, books, holds);
  }

  /** Another way to put a coupon on sale. */
  public LedgerQueries withOpenCoupon(String statement) {
    return new LedgerQueries(create, drop, statement, forgetCoupon, books, holds);
  }

  /** Other statements that remove every trace of a coupon. */
  public LedgerQueries withForgetCoupon(List<String> statements) {
    return new LedgerQueries(create, drop, openCoupon, statements, books, holds);
  }

  /** Another query for counter and rows. */
  public LedgerQueries withBooks(String query) {
    return new LedgerQueries(create, drop, openCoupon, forgetCoupon, query, holds);
  }

  /** Another query for whether a user holds a row. */
  public LedgerQueries withHolds(String query) {
    return new LedgerQueries(create, drop, openCoupon, forgetCoupon, books, query);
  }
}
