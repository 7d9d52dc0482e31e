/** Stress on real servers: that it finds what it must, and is bounded. */
@NullMarked
package io.stockproof.verification.stress;

import org.jspecify.annotations.NullMarked;
