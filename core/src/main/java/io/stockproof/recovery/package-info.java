/** Makes the gate right again from the ledger: after losses, and after owners that died. */
@NullMarked
package io.stockproof.recovery;

import org.jspecify.annotations.NullMarked;
