package io.stockproof.reports.cli;

import io.stockproof.verification.explore.Explorer;
import java.io.PrintWriter;

/**
 * Progress of a search on standard error: runs, runs a second, classes and what is left of the
 * budget.
 */
final class SearchProgress implements Explorer.Observer {
  private static final long REDRAW_NANOS = 100_000_000L;
  private static final long LINE_EVERY_NANOS = 15_000_000_000L;

  private final PrintWriter err;
  private final Terminal terminal;
  private long last = System.nanoTime();

  SearchProgress(PrintWriter err, Terminal terminal) {
    this.err = err;
    this.terminal = terminal;
  }

  @Override
  public void progress(Explorer.Progress now) {
    long every = terminal.progressRedraws() ? REDRAW_NANOS : LINE_EVERY_NANOS;
    if (System.nanoTime() - last < every) {
      return;
    }
    last = System.nanoTime();
    String line =
        "%,d interleavings, %.0f/s, %,d classes, %d s left"
            .formatted(
                now.interleavings(),
                now.perSecond(),
                now.classes(),
                Math.max(0, now.left().toSeconds()));
    if (terminal.progressRedraws()) {
      err.print("\r" + line + "\u001b[K");
    } else {
      err.println(line);
    }
    err.flush();
  }

  void end() {
    if (terminal.progressRedraws()) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }
}
