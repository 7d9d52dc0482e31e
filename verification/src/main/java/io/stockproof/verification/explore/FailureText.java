package io.stockproof.verification.explore;

import io.stockproof.verification.rules.Rule;

/**
 * What a person reads of a broken rule: the rule, what broke it, the lanes with the books, and how
 * to see it again.
 */
public final class FailureText {

  private FailureText() {}

  /**
   * The whole text of a failure.
   *
   * @param rule what was broken
   * @param detail by what
   * @param token replays it
   * @param run the run
   * @param width columns, 60 or more
   */
  public static String of(
      Rule rule, String detail, Token token, Exploration.Picture run, int width) {
    String head = rule.id() + " " + rule.title();
    return "%s  VIOLATED  %s%n%s%nagain: ./stockproof replay %s"
        .formatted(head, detail, run.lanes(width), token.text());
  }
}
