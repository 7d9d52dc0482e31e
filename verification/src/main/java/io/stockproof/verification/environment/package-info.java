/**
 * Real servers to verify on: embedded processes, containers, later external ones. Chosen by {@code
 * stockproof.environment}.
 */
@NullMarked
package io.stockproof.verification.environment;

import org.jspecify.annotations.NullMarked;
