/**
 * Real servers to verify on: embedded processes, containers, or servers that run already. Chosen by
 * {@code stockproof.environment}.
 */
@NullMarked
package io.stockproof.verification.environment;

import org.jspecify.annotations.NullMarked;
