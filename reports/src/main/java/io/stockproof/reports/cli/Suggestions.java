package io.stockproof.reports.cli;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what somebody probably meant. */
final class Suggestions {
  private static final int MOST_EDITS = 3;

  private Suggestions() {}

  static Optional<String> nearest(String given, Collection<String> allowed) {
    return allowed.stream()
        .filter(name -> name.startsWith(given) || isNear(given, name))
        .min(Comparator.comparingInt(name -> edits(given, name)));
  }

  /** Few edits, and not so many that hardly a letter is the same. */
  private static boolean isNear(String given, String name) {
    int edits = edits(given, name);
    return edits <= MOST_EDITS && 2 * edits <= Math.max(given.length(), name.length());
  }

  /** The question that an error begins with, if something near is allowed; else empty. */
  static String question(String given, Collection<String> allowed) {
    return nearest(given, allowed).map(near -> "did you mean '" + near + "'? ").orElse("");
  }

  /** Characters to insert, delete or replace. */
  private static int edits(String from, String to) {
    int[] previous = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] current = new int[to.length() + 1];
      current[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[to.length()];
  }
}
