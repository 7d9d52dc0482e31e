package io.stockproof.reports.cli;

import io.stockproof.reports.RunRecord;
import io.stockproof.reports.cli.SubjectMixin.Chosen;
import io.stockproof.verification.Capability;
import io.stockproof.verification.EffortLevel;
import io.stockproof.verification.SubjectVerification;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.gallery.Gallery;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.subjects.Subjects;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
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
      "Subjects are searched: every order of the commands of two or three requests, and every fault"
          + " at every command. Then they are made to sell by many threads at once, with one instance"
          + " and with two; rows are counted, never counters. The baselines are there to be seen failing: they are"
          + " AS_EXPECTED if they break exactly the rules they are known to break.",
      ""
    },
    optionListHeading = "%nOptions:%n",
    parameterListHeading = "%nParameters:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  stockproof verify",
      "  stockproof verify no-control stockproof --effort quick --json run.json",
      "  stockproof verify stockproof --prove"
    })
final class VerifyCommand implements Callable<Integer> {
  private static final int MOST_INSTANCES = 2;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  CommandSpec spec;

  @Mixin EnvironmentMixin environmentMixin = new EnvironmentMixin();
  @Mixin SubjectMixin subjectMixin = new SubjectMixin();
  @Mixin OutputMixin output = new OutputMixin();

  @Parameters(
      paramLabel = "SUBJECT",
      description = "What to verify; all built-in subjects if none is named. See: list subjects.")
  List<String> names = new ArrayList<>();

  @Option(
      names = "--prove",
      description =
          "Also verify the mutants of the gallery with these settings, to show that they find"
              + " mistakes. A mutant that is missed makes the run VIOLATED. See: list mutants.")
  boolean prove;

  @Option(
      names = "--luck",
      description =
          "With --prove: also count how many mutants are found by 1,000 requests on 50 threads, 10"
              + " runs each, without a search. Takes some minutes.")
  boolean luck;

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
  EffortLevel effort = EffortLevel.STANDARD;

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      converter = Converters.ToDuration.class,
      description =
          "Time for a subject, such as 30s: half for the search, half for stress. Default: by effort,"
              + " about 11s, 18s or 12m.")
  @Nullable Duration budget;

  @Override
  public Integer call() throws Exception {
    if (luck && !prove) {
      throw new ParameterException(spec.commandLine(), "--luck needs --prove");
    }
    List<Chosen> chosen = chosen();
    output.check();
    Terminal terminal = Terminal.fromLauncher();
    try (Environment environment = environmentMixin.open(spec)) {
      return environment == null ? ExitCode.INCONCLUSIVE : verify(chosen, environment, terminal);
    }
  }

  private List<Chosen> chosen() {
    List<Chosen> chosen = subjectMixin.chosen(names);
    return chosen.isEmpty()
        ? subjectMixin.chosen(Subjects.all().stream().map(Subjects.Entry::name).toList())
        : chosen;
  }

  private int verify(List<Chosen> chosen, Environment environment, Terminal terminal)
      throws Exception {
    Instant startedAt = Instant.now();
    PrintWriter out = spec.commandLine().getOut();
    SubjectVerification.Effort within = effort.within(budget);
    int partsEach = SubjectVerification.parts(within, EnumSet.allOf(Capability.class));
    ProofRun proof = new ProofRun(Gallery.all(), environment, within, seed, luck);
    int steps = partsEach * chosen.size() + (prove ? proof.steps() : 0);
    Progress progress =
        new Progress(spec.commandLine().getErr(), terminal, steps, System::nanoTime);
    List<RunRecord.SubjectRecord> records = new ArrayList<>();
    List<SubjectVerification.Outcome> outcomes = new ArrayList<>();
    for (Chosen one : chosen) {
      progress.skipTo(partsEach * outcomes.size());
      int[] stressRuns = {0};
      SubjectVerification verification =
          new SubjectVerification(
              environment,
              within,
              seed,
              what -> {
                stressRuns[0] += what.startsWith("stress") ? 1 : 0;
                progress.step(one.name() + ": " + what);
              });
      SubjectVerification.Outcome outcome = verification.verify(one.make(), one.expected());
      outcomes.add(outcome);
      records.add(Records.subject(one, outcome, MOST_INSTANCES, stressRuns[0]));
    }
    progress.skipTo(partsEach * chosen.size());
    RunRecord.MutantsRecord mutants = prove ? proof.run(progress) : null;
    progress.end();
    VerdictTable table = new VerdictTable(out, terminal);
    table.paragraph(environment.describe() + ", seed " + seed);
    table.heading();
    for (int i = 0; i < chosen.size(); i++) {
      Chosen one = chosen.get(i);
      SubjectVerification.Outcome outcome = outcomes.get(i);
      Set<Rule> known = Records.known(one.expected(), MOST_INSTANCES, outcome.verdict());
      table.print(one.name(), known, outcome);
    }
    if (mutants != null) {
      new ProofText(out).print(mutants);
    }
    Verdict verdict =
        Records.ofRun(
            outcomes.stream().map(SubjectVerification.Outcome::verdict).toList(), mutants);
    return output.write(
        Records.run("verify", seed, verdict, environment, startedAt, records, mutants), out);
  }
}
