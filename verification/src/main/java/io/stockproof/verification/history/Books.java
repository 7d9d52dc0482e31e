package io.stockproof.verification.history;

import io.stockproof.verification.StoreState;

/**
 * What the stores held at one moment.
 *
 * @param moment position in the run's logical clock: the state holds from here to the next entry if
 *     {@code exact}, else it was merely seen about here
 * @param exact true if nothing else ran while it was read (a run whose commands are held); false if
 *     it was sampled under load, where only what one statement read belongs together: rows and
 *     counter do, gate stock and users do not
 * @param state what was read
 */
public record Books(long moment, boolean exact, StoreState state) {}
