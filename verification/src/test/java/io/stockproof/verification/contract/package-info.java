/** The contract as a user meets it: issuers of one's own, and the classes that hold them to it. */
@NullMarked
package io.stockproof.verification.contract;

import org.jspecify.annotations.NullMarked;
