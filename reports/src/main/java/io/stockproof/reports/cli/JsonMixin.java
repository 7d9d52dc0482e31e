package io.stockproof.reports.cli;

import io.stockproof.reports.RunRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option that writes a run as JSON; the same for every command that has something to write. */
final class JsonMixin {
  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec(Spec.Target.MIXEE)
  CommandSpec spec;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the run as JSON.")
  @Nullable Path json;

  /**
   * Before a long run: is there a place to write to?
   *
   * @throws ParameterException if not
   */
  void check() {
    if (json == null) {
      return;
    }
    Path folder = json.toAbsolutePath().getParent();
    if (Files.isDirectory(json) || folder == null || !Files.isDirectory(folder)) {
      throw new ParameterException(
          spec.commandLine(), "--json must be a file in a folder that exists, was '" + json + "'");
    }
  }

  void write(RunRecord run, PrintWriter out) throws IOException {
    if (json != null) {
      run.writeTo(json);
      out.println("written: " + json.toAbsolutePath().normalize());
    }
  }
}
