/**
 * Faults on real servers, connections and processes, and campaigns: load, faults and rules
 * together.
 */
@NullMarked
package io.stockproof.chaos;

import org.jspecify.annotations.NullMarked;
