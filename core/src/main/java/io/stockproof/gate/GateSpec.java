package io.stockproof.gate;

/**
 * What a rebuilt gate is told of its coupon.
 *
 * @param total units put on sale
 * @param opensAtMillis epoch milliseconds
 * @param closesAtMillis epoch milliseconds
 * @param epoch the ledger's, after the bump that fences everyone admitted before
 * @param open false if the coupon was closed
 */
public record GateSpec(
    long total, long opensAtMillis, long closesAtMillis, long epoch, boolean open) {}
