package io.stockproof.reports.cli;

import java.io.PrintWriter;
import java.util.function.LongSupplier;

/**
 * Progress on standard error: a bar that redraws on a terminal, a line at most every 15 s
 * elsewhere. Used by one thread.
 */
final class Progress {
  private static final long LINE_EVERY_NANOS = 15_000_000_000L;
  private static final int BAR = 20;

  private final PrintWriter err;
  private final Terminal terminal;
  private final int total;
  private final LongSupplier nanoClock;
  private long lastLineNanos;
  private int done;

  Progress(PrintWriter err, Terminal terminal, int total, LongSupplier nanoClock) {
    this.err = err;
    this.terminal = terminal;
    this.total = total;
    this.nanoClock = nanoClock;
    this.lastLineNanos = nanoClock.getAsLong();
  }

  /** Something begins; what began before is done. */
  void step(String what) {
    int percent = Math.min(100, 100 * done / Math.max(1, total));
    done++;
    if (terminal.progressRedraws()) {
      int filled = percent * BAR / 100;
      String bar = "#".repeat(filled) + ".".repeat(BAR - filled);
      String line = "[%s] %3d%%  %s".formatted(bar, percent, what);
      err.print("\r" + fit(line) + "\u001b[K");
      err.flush();
    } else if (nanoClock.getAsLong() - lastLineNanos >= LINE_EVERY_NANOS) {
      lastLineNanos = nanoClock.getAsLong();
      err.println("%3d%%  %s".formatted(percent, what));
      err.flush();
    }
  }

  /** Skips to a number of steps, where fewer were needed than planned. */
  void skipTo(int steps) {
    done = steps;
  }

  /** Removes the bar. */
  void end() {
    if (terminal.progressRedraws()) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }

  private String fit(String line) {
    int most = terminal.columns() - 1;
    return line.length() <= most ? line : line.substring(0, most);
  }
}
