package io.stockproof.verification.protocol;

import io.stockproof.verification.rules.Rule;

/**
 * A rule that a state breaks.
 *
 * @param rule which
 * @param how in one line
 */
record Broken(Rule rule, String how) {}
