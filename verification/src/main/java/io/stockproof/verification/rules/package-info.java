/** The numbered rules of SPEC.md and the checkers that judge a history by them. */
@NullMarked
package io.stockproof.verification.rules;

import org.jspecify.annotations.NullMarked;
