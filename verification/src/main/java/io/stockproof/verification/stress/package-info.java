/** Rules by threads: many requests at once on real instances, no control over their order. */
@NullMarked
package io.stockproof.verification.stress;

import org.jspecify.annotations.NullMarked;
