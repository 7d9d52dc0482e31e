package io.stockproof.verification;

import io.stockproof.verification.explore.Exploration;
import io.stockproof.verification.rules.Rule;
import org.jspecify.annotations.Nullable;

/**
 * How a rule was broken for the first time.
 *
 * @param where in which part of the verification
 * @param detail what was seen
 * @param witness the run, shrunk; null if it was found by stress
 */
public record FirstViolation(String where, String detail, Exploration.@Nullable Witness witness) {

  static @Nullable FirstViolation in(String plan, Rule rule, Exploration searched) {
    return searched.rules().stream()
        .filter(result -> result.rule() == rule && result.verdict() == Verdict.VIOLATED)
        .map(result -> new FirstViolation("search, " + plan, result.detail(), result.witness()))
        .findFirst()
        .orElse(null);
  }
}
