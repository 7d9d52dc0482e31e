package io.stockproof.reports.cli;

import io.stockproof.chaos.CampaignResult;
import io.stockproof.chaos.CampaignSettings;
import io.stockproof.chaos.FaultPlan;
import io.stockproof.chaos.WindowResult;
import io.stockproof.verification.SubjectVerdict;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.rules.Finding;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Prints a campaign: a line a fault, then the rules. */
final class ChaosText {
  private static final String ROW = "%-24s %8s %7s %8s %8s %9s %5s";
  private static final String INDENT = "  ";

  private final PrintWriter out;
  private final VerdictTable table;

  ChaosText(PrintWriter out, Terminal terminal) {
    this.out = out;
    this.table = new VerdictTable(out, terminal);
  }

  void heading(Environment environment, String subject, CampaignSettings settings, FaultPlan plan) {
    table.paragraph(environment.describe());
    table.paragraph(
        "%s, %d instances, %d calls a second for %d s, faults: %d, seed %d"
            .formatted(
                subject,
                settings.instances(),
                settings.ratePerSecond(),
                settings.duration().toSeconds(),
                plan.strikes().size(),
                plan.seed()));
  }

  void print(CampaignResult result) {
    out.println(
        ROW.formatted("fault", "window", "issued", "refused", "resumed", "balanced", "hung"));
    for (WindowResult window : result.windows()) {
      out.println(
          ROW.formatted(
              window.fault().title(),
              millis(window.lasted()),
              window.issued(),
              window.unavailable(),
              millis(window.recovery()),
              millis(window.balanced()),
              window.hung()));
      if (window.verdict() != Verdict.PASS) {
        table.paragraph(INDENT + window.verdict() + ": " + window.detail());
      }
    }
    out.println();
    table.paragraph(
        "%,d calls, %,d issued of %,d; latency from the intended start: median %,d ms, 99 %% %,d ms"
            .formatted(
                result.calls(),
                result.issued(),
                result.total(),
                result.p50().toMillis(),
                result.p99().toMillis()));
    SubjectVerdict verdict = result.verdict();
    for (Finding finding : verdict.violations()) {
      table.paragraph(
          "%s %s  VIOLATED  %s"
              .formatted(finding.rule().id(), finding.rule().title(), finding.detail()));
    }
    table.rules(verdict);
    out.println();
    table.paragraph(
        "window, resumed, balanced in ms. issued, refused: calls under way in the window that were"
            + " given a unit, or told UNAVAILABLE or UNKNOWN, or ended in an exception; resumed:"
            + " until every instance issued again; balanced: until gate, rows and counter agreed.");
    table.paragraph("why: " + verdict.reason());
  }

  private static String millis(@Nullable Duration time) {
    return time == null ? "-" : "%,d".formatted(time.toMillis());
  }
}
