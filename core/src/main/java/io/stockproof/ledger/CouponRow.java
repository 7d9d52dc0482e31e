package io.stockproof.ledger;

/**
 * The ledger's row of a coupon.
 *
 * @param id the coupon
 * @param total units put on sale
 * @param issued the counter
 * @param active whether it may be issued
 * @param opensAtMillis epoch milliseconds
 * @param closesAtMillis epoch milliseconds
 * @param epoch the fencing number
 */
public record CouponRow(
    long id,
    long total,
    long issued,
    boolean active,
    long opensAtMillis,
    long closesAtMillis,
    long epoch) {}
