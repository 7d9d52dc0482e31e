package io.stockproof.reports.cli;

import java.io.PrintWriter;
import java.util.List;

/**
 * What is known of the terminal; the launcher says so by system properties, as Java cannot tell for
 * standard error.
 */
record Terminal(boolean progressRedraws, boolean colours, int columns) {
  private static final int NARROW = 80;
  private static final int WIDE = 120;

  static Terminal fromLauncher() {
    String noColour = System.getenv("NO_COLOR");
    boolean coloursAllowed = noColour == null || noColour.isEmpty();
    return new Terminal(
        Boolean.getBoolean("stockproof.terminal.stderr"),
        Boolean.getBoolean("stockproof.terminal.stdout") && coloursAllowed,
        Math.max(
            NARROW, Math.min(WIDE, Integer.getInteger("stockproof.terminal.columns", NARROW))));
  }

  /**
   * Prints words with spaces between, and a new line before each that does not fit.
   *
   * @param start of the first line; a space follows unless it is empty
   * @param indent of the others, likewise
   */
  void printWords(PrintWriter out, String start, List<String> words, String indent) {
    StringBuilder line = new StringBuilder(start);
    for (String word : words) {
      if (line.length() + 1 + word.length() > columns) {
        out.println(line);
        line = new StringBuilder(indent);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    out.println(line);
  }
}
