package io.stockproof.reports.cli;

import io.stockproof.reports.RunRecord;
import io.stockproof.verification.Subject;
import io.stockproof.verification.SubjectVerdict;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.EnvironmentException;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.stress.StressSettings;
import io.stockproof.verification.stress.StressVerification;
import io.stockproof.verification.subjects.Subjects;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code verify}: which rules does a subject keep, and which does it break? */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Verifies subjects on real servers and prints one verdict each.",
      "",
      "Subjects are made to sell by many threads at once, with one instance and with two; rows are"
          + " counted, never counters. The baselines are there to be seen failing: they are"
          + " AS_EXPECTED if they break exactly the rules they are known to break.",
      ""
    },
    optionListHeading = "%nOptions:%n",
    parameterListHeading = "%nParameters:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  stockproof verify",
      "  stockproof verify no-control stockproof --effort quick --json run.json"
    })
final class VerifyCommand implements Callable<Integer> {
  private static final int MOST_INSTANCES = 2;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  CommandSpec spec;

  @Mixin EnvironmentMixin environmentMixin = new EnvironmentMixin();

  @Parameters(
      paramLabel = "SUBJECT",
      description = "What to verify; all built-in subjects if none is named. See: list subjects.")
  List<String> names = new ArrayList<>();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Orders the requests. Default: ${DEFAULT-VALUE}.")
  long seed = 42;

  @Option(
      names = "--effort",
      paramLabel = "HOW",
      converter = Converters.ToEffort.class,
      description = "quick, standard or deep. Default: ${DEFAULT-VALUE}.")
  Effort effort = Effort.STANDARD;

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      converter = Converters.ToDuration.class,
      description =
          "No further round of a subject is begun after this time, such as 30s; each has at least"
              + " one. Default: by effort, 5s, 6s or 2m.")
  @Nullable Duration budget;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the run as JSON.")
  @Nullable Path json;

  @Override
  public Integer call() throws Exception {
    List<Subjects.Entry> entries = entries();
    checkJson();
    Terminal terminal = Terminal.fromLauncher();
    PrintWriter err = spec.commandLine().getErr();
    err.println("starting Redis and the database…");
    err.flush();
    try (Environment environment = Environments.open(environmentMixin.options())) {
      // Interleavings are the same without waiting for the disk, and there are more of them.
      environment.durable(false);
      return verify(entries, environment, terminal);
    } catch (EnvironmentException | UnsupportedOperationException noServers) {
      err.println("stockproof: no servers to verify on: " + noServers.getMessage());
      return ExitCode.INCONCLUSIVE;
    } catch (IllegalArgumentException contradiction) {
      throw new ParameterException(spec.commandLine(), String.valueOf(contradiction.getMessage()));
    }
  }

  private List<Subjects.Entry> entries() {
    if (names.isEmpty()) {
      return Subjects.all();
    }
    return names.stream().distinct().map(this::entry).toList();
  }

  private Subjects.Entry entry(String name) {
    return Subjects.named(name)
        .orElseThrow(
            () -> {
              List<String> known = Subjects.all().stream().map(Subjects.Entry::name).toList();
              String meant =
                  Suggestions.nearest(name, known)
                      .map(near -> "did you mean '" + near + "'? ")
                      .orElse("");
              return new ParameterException(
                  spec.commandLine(),
                  "unknown subject '%s'; %sallowed: %s"
                      .formatted(name, meant, String.join(", ", known)));
            });
  }

  private void checkJson() {
    if (json == null) {
      return;
    }
    Path folder = json.toAbsolutePath().getParent();
    if (Files.isDirectory(json) || folder == null || !Files.isDirectory(folder)) {
      throw new ParameterException(
          spec.commandLine(), "--json must be a file in a folder that exists, was '" + json + "'");
    }
  }

  private int verify(List<Subjects.Entry> entries, Environment environment, Terminal terminal)
      throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    int runsEach = StressVerification.runs(effort.rounds());
    Progress progress =
        new Progress(
            spec.commandLine().getErr(), terminal, runsEach * entries.size(), System::nanoTime);
    List<RunRecord.SubjectRecord> records = new ArrayList<>();
    List<SubjectVerdict> verdicts = new ArrayList<>();
    for (Subjects.Entry entry : entries) {
      progress.skipTo(runsEach * verdicts.size());
      int[] runs = {0};
      StressVerification verification =
          new StressVerification(
              environment,
              StressSettings.defaults().withSeed(seed),
              effort.rounds(),
              budget != null ? budget : effort.budget(),
              what -> {
                runs[0]++;
                progress.step(entry.name() + ": " + what);
              });
      try (Subject subject = entry.make().get()) {
        SubjectVerdict verdict = verification.verify(subject, entry.expected());
        verdicts.add(verdict);
        records.add(Records.subject(entry, verdict, MOST_INSTANCES, runs[0]));
      }
    }
    progress.end();
    VerdictTable table = new VerdictTable(out, terminal);
    table.paragraph(environment.describe() + ", seed " + seed);
    table.heading();
    for (int i = 0; i < entries.size(); i++) {
      table.print(entries.get(i).name(), entries.get(i).expected(), verdicts.get(i));
    }
    Verdict verdict = Records.ofRun(verdicts);
    out.println("verdict of the run: " + verdict);
    writeJson(Records.run("verify", seed, verdict, environment, records), out);
    return ExitCode.of(verdict);
  }

  private void writeJson(RunRecord run, PrintWriter out) throws IOException {
    if (json != null) {
      run.writeTo(json);
      out.println("written: " + json.toAbsolutePath().normalize());
    }
  }
}
