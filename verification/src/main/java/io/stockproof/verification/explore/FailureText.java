package io.stockproof.verification.explore;

import io.stockproof.verification.rules.Rule;
import java.util.List;

/**
 * What a person reads of a broken rule: the rule, what broke it, the lanes with the books, and how
 * to see it again.
 */
public final class FailureText {

  private FailureText() {}

  /**
   * The whole text of a failure on the command line.
   *
   * @param rule what was broken
   * @param detail by what
   * @param token replays it
   * @param run the run
   * @param width columns, 60 or more
   */
  public static String of(
      Rule rule, String detail, Token token, Exploration.Picture run, int width) {
    return "%s%n%s%nagain: ./stockproof replay %s"
        .formatted(head(rule, detail), run.lanes(width), token.text());
  }

  /**
   * The whole text of a failure where nothing else is at hand to look at: with what the rule means,
   * and the ways to see it again.
   *
   * @param rule what was broken
   * @param detail by what
   * @param run the run
   * @param width columns, 60 or more
   * @param again the ways to see it again, one a line
   */
  public static String explained(
      Rule rule, String detail, Exploration.Picture run, int width, List<String> again) {
    return "%s%n%s%n%n%s%n%nagain: %s"
        .formatted(
            head(rule, detail),
            meaning(rule),
            run.lanes(width),
            String.join(System.lineSeparator() + "   or: ", again));
  }

  /**
   * The text of a failure that no single run shows, only many calls at once.
   *
   * @param rule what was broken
   * @param detail by what
   * @param again how to see it again
   */
  public static String byStress(Rule rule, String detail, String again) {
    return """
        %s
        %s

        Seen under stress, where many threads ask at once; the search had no run that shows it, so there
        is no order of commands to look at.

        again: %s"""
        .formatted(head(rule, detail), meaning(rule), again);
  }

  /**
   * The first line of a failure.
   *
   * @param rule what was broken
   * @param detail by what
   */
  public static String head(Rule rule, String detail) {
    return rule.id() + " " + rule.title() + "  VIOLATED  " + detail;
  }

  private static String meaning(Rule rule) {
    return "%s: %s%n%s".formatted(rule.strength(), rule.statement(), rule.intent());
  }
}
