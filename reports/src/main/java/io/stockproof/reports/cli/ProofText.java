package io.stockproof.reports.cli;

import io.stockproof.reports.RunRecord;
import io.stockproof.verification.gallery.Luck;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints what the gallery says of the settings. */
final class ProofText {
  private final PrintWriter out;

  ProofText(PrintWriter out) {
    this.out = out;
  }

  void print(RunRecord.MutantsRecord mutants) {
    out.printf("gallery: these settings catch %d of %d%n", mutants.caught(), mutants.total());
    out.printf(
        Locale.ROOT,
        "  a mutant takes %.1f s (median), %.1f s at most%n",
        mutants.medianSeconds(),
        mutants.slowestSeconds());
    mutants.each().stream().filter(mutant -> !mutant.caught()).forEach(this::printMissed);
    Integer byLuck = mutants.byThreadsAndLuck();
    if (byLuck != null) {
      out.printf(
          "  by threads and luck, 1,000 requests on 50 threads, %d runs: %d of %d%n",
          Luck.RUNS, byLuck, mutants.total());
    }
    out.println();
  }

  private void printMissed(RunRecord.MutantRecord mutant) {
    out.printf("  missed: %s, which %s should have caught%n", mutant.name(), mutant.rule());
    if (mutant.detail() != null) {
      out.printf("    could not be verified: %s%n", mutant.detail());
    }
  }
}
