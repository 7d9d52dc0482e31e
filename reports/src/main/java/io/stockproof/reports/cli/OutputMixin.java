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

/** The options that keep a run; the same for every command that has one to keep. */
final class OutputMixin {
  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec(Spec.Target.MIXEE)
  CommandSpec spec;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the run as JSON.")
  @Nullable Path json;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Writes the run as a page, DIR/index.html, and as JSON, DIR/run.json.")
  @Nullable Path report;

  /**
   * Before a long run: is there a place to write to? Makes the folder of the report.
   *
   * @throws ParameterException if not
   */
  void check() {
    if (json != null && !isFileInFolder(json)) {
      throw new ParameterException(
          spec.commandLine(), "--json must be a file in a folder that exists, was '" + json + "'");
    }
    if (report != null) {
      try {
        Files.createDirectories(report);
      } catch (IOException impossible) {
        throw new ParameterException(
            spec.commandLine(),
            "--report must be a folder, or one that can be made, was '" + report + "'");
      }
    }
  }

  private static boolean isFileInFolder(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return !Files.isDirectory(file) && folder != null && Files.isDirectory(folder);
  }

  /**
   * Ends a command: prints the verdict and writes what was asked for; the path of the page is the
   * last line.
   *
   * @return the exit code
   * @throws IOException if a file cannot be written
   */
  int write(RunRecord run, PrintWriter out) throws IOException {
    out.println("verdict of the run: " + run.verdict());
    if (json != null) {
      run.writeTo(json);
      out.println("written: " + json.toAbsolutePath().normalize());
    }
    if (report != null) {
      run.writeTo(report.resolve("run.json"));
      Path page = report.resolve("index.html");
      HtmlReport.write(run, page);
      out.println("report: " + page.toAbsolutePath().normalize());
    }
    return ExitCode.of(run.verdict());
  }
}
