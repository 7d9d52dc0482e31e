package io.stockproof.verification.gallery;

import io.stockproof.verification.JdbcAndRedisSubject;
import io.stockproof.verification.Subject;
import io.stockproof.verification.rules.Rule;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * An issuer with one planted mistake. Immutable.
 *
 * @param name lower case with hyphens; begins with what it was made from
 * @param cases ids of the public cases in which the mistake was made
 * @param mistake what is wrong, in a line
 * @param rule the rule that must catch it
 * @param make makes a new one, to be closed by whoever asked
 */
public record Mutant(
    String name, List<String> cases, String mistake, Rule rule, Supplier<? extends Subject> make) {

  /** Copies the list. */
  public Mutant {
    cases = List.copyOf(cases);
  }

  /**
   * A mutant of one of the originals.
   *
   * @param cases ids, separated by commas
   * @param original how a subject is made of the instances
   * @param starter starts an instance with the mistake in it
   */
  static Mutant of(
      BiFunction<String, JdbcAndRedisSubject.Starter, JdbcAndRedisSubject> original,
      String name,
      String cases,
      String mistake,
      Rule rule,
      JdbcAndRedisSubject.Starter starter) {
    return new Mutant(
        name, List.of(cases.split(",", -1)), mistake, rule, () -> original.apply(name, starter));
  }
}
