package io.stockproof.reports.cli;

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
}
