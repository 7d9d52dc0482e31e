package io.stockproof.reports.cli;

import io.stockproof.reports.RunRecord;
import io.stockproof.reports.cli.SubjectMixin.Chosen;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.explore.Explorer;
import io.stockproof.verification.explore.FailureText;
import io.stockproof.verification.explore.Replay;
import io.stockproof.verification.explore.Token;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.subjects.Subjects;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code replay}: one run again, step by step. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = {
      "Makes one run again from its token: the same requests, the same order of commands, the same"
          + " faults. Says where it diverges if the subject has changed.",
      ""
    },
    optionListHeading = "%nOptions:%n",
    parameterListHeading = "%nParameters:%n")
final class ReplayCommand implements Callable<Integer> {
  private static final int MOST_TIMES = 10_000;

  /** Nothing in a replay is drawn by lot. */
  private static final long NO_SEED = 0;

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  CommandSpec spec;

  @Mixin EnvironmentMixin environmentMixin = new EnvironmentMixin();
  @Mixin SubjectMixin subjectMixin = new SubjectMixin();
  @Mixin OutputMixin output = new OutputMixin();

  @Parameters(paramLabel = "TOKEN", description = "What verify or explore printed: SP1.…")
  String token = "";

  @Option(
      names = "--times",
      paramLabel = "N",
      description = "How often; says how many gave the same. Default: ${DEFAULT-VALUE}.")
  int times = 1;

  @Override
  public Integer call() throws Exception {
    Token parsed = parsed();
    if (times < 1 || times > MOST_TIMES) {
      throw new ParameterException(
          spec.commandLine(), "--times must be 1 to " + MOST_TIMES + ", was " + times);
    }
    Chosen chosen = subject(parsed);
    output.check();
    try (Environment environment = environmentMixin.open(spec)) {
      return environment == null ? ExitCode.INCONCLUSIVE : replay(parsed, chosen, environment);
    }
  }

  private Chosen subject(Token parsed) {
    if (!subjectMixin.classes.isEmpty()) {
      return subjectMixin.chosen(List.of()).get(0);
    }
    if (Subjects.named(parsed.subject()).isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "this token is of '%s', which is not built in: add --classpath and --subject"
              .formatted(parsed.subject()));
    }
    return subjectMixin.named(parsed.subject());
  }

  private Token parsed() {
    try {
      return Token.parse(token);
    } catch (IllegalArgumentException damaged) {
      throw new ParameterException(spec.commandLine(), String.valueOf(damaged.getMessage()));
    }
  }

  private int replay(Token parsed, Chosen chosen, Environment environment) throws Exception {
    Instant startedAt = Instant.now();
    PrintWriter out = spec.commandLine().getOut();
    Terminal terminal = Terminal.fromLauncher();
    try (Subject subject = chosen.make().get();
        Explorer explorer = new Explorer(environment, subject)) {
      Replay first = explorer.replay(parsed);
      new VerdictTable(out, terminal).paragraph(environment.describe());
      out.println(
          "%s, stock %d, %s, %s"
              .formatted(
                  chosen.name(),
                  parsed.scenario().total(),
                  ExplorationText.counted(parsed.scenario().requests().size(), "request"),
                  ExplorationText.counted(parsed.scenario().instances(), "instance")));
      out.println(first.run().lanes(terminal.columns()));
      Verdict verdict = first.verdict();
      int same = 1;
      for (int i = 1; i < times; i++) {
        Replay next = explorer.replay(parsed);
        same += next.divergence() == null && next.verdict() == first.verdict() ? 1 : 0;
        verdict = verdict.and(next.verdict());
      }
      verdict = first.divergence() != null ? Verdict.INCONCLUSIVE : verdict;
      for (Finding finding : first.findings()) {
        if (finding.verdict() == Verdict.VIOLATED) {
          out.println(FailureText.head(finding.rule(), finding.detail()));
        }
      }
      if (first.divergence() != null) {
        out.println(first.divergence());
      }
      if (times > 1) {
        out.println("the same " + same + " of " + times + " times");
      }
      List<RunRecord.SubjectRecord> records =
          List.of(Records.replayed(chosen, parsed, first, verdict, times));
      return output.write(
          Records.run("replay", NO_SEED, verdict, environment, startedAt, records, null), out);
    }
  }
}
