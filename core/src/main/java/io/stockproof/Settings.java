package io.stockproof;

import io.stockproof.ledger.LedgerSchema;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** What was chosen at the builder, which documents it. */
record Settings(
    Duration timeout,
    Duration reservationTimeout,
    Duration reconcilePeriod,
    Duration soldOutMemory,
    int breakAfter,
    Duration breakFor,
    int fallThrough,
    LedgerSchema schema,
    int ledgerThreads,
    int maxInFlight,
    boolean background,
    IssuanceListener listener,
    Supplier<String> tokens,
    LongSupplier nanoClock,
    RandomGenerator random) {}
