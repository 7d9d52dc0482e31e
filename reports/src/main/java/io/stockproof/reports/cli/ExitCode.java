package io.stockproof.reports.cli;

import io.stockproof.verification.Verdict;

/** Exit codes of every command. */
final class ExitCode {
  static final int PASS = 0;
  static final int VIOLATED = 1;
  static final int USAGE = 2;
  static final int INCONCLUSIVE = 3;
  static final int INTERNAL_ERROR = 70;

  private ExitCode() {}

  static int of(Verdict verdict) {
    return switch (verdict) {
      case PASS, AS_EXPECTED -> PASS;
      case VIOLATED -> VIOLATED;
      case INCONCLUSIVE -> INCONCLUSIVE;
    };
  }
}
