package io.stockproof.reports.cli;

import io.stockproof.reports.RunRecord;
import io.stockproof.reports.html.HtmlReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The option that writes a run as a page; the same for every command that has something to show.
 */
final class ReportMixin {
  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec(Spec.Target.MIXEE)
  CommandSpec spec;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Writes the run as a page, DIR/index.html, and as JSON, DIR/run.json.")
  @Nullable Path folder;

  /**
   * Before a long run: makes the folder.
   *
   * @throws ParameterException if that cannot be done
   */
  void check() {
    if (folder == null) {
      return;
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException impossible) {
      throw new ParameterException(
          spec.commandLine(),
          "--report must be a folder, or one that can be made, was '" + folder + "'");
    }
  }

  /** Last of all: the path of the page is the last line of a command. */
  void write(RunRecord run, PrintWriter out) throws IOException {
    if (folder != null) {
      run.writeTo(folder.resolve("run.json"));
      Path page = folder.resolve("index.html");
      HtmlReport.write(run, page);
      out.println("report: " + page.toAbsolutePath().normalize());
    }
  }
}
