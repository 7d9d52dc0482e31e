package io.stockproof.reports.cli;

import io.stockproof.reports.RunRecord;
import io.stockproof.reports.cli.SubjectMixin.Chosen;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.explore.Choices;
import io.stockproof.verification.explore.Exploration;
import io.stockproof.verification.explore.Explorer;
import io.stockproof.verification.explore.SearchPlan;
import io.stockproof.verification.explore.SearchSettings;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
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

/** {@code explore}: every order of the commands of a few concurrent requests. */
@Command(
    name = "explore",
    mixinStandardHelpOptions = true,
    description = {
      "Searches the orders of the Redis commands and SQL statements of concurrent requests, with"
          + " faults between them if asked for, and shows the shortest run that breaks each rule.",
      ""
    },
    optionListHeading = "%nOptions:%n",
    parameterListHeading = "%nParameters:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  stockproof explore no-control --users 2 --stock 1",
      "  stockproof explore lua-gate --requests A,A --stock 2",
      "  stockproof explore lua-gate --users 1 --faults error-1213,crash --max-faults 2"
    })
final class ExploreCommand implements Callable<Integer> {
  private static final int MOST_REQUESTS = 26;
  private static final Duration EXHAUSTIVE_BUDGET = Duration.ofMinutes(2);
  private static final Duration CHANCE_BUDGET = Duration.ofSeconds(10);

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  CommandSpec spec;

  @Mixin EnvironmentMixin environmentMixin = new EnvironmentMixin();
  @Mixin SubjectMixin subjectMixin = new SubjectMixin();
  @Mixin OutputMixin output = new OutputMixin();

  @Parameters(
      paramLabel = "SUBJECT",
      arity = "0..1",
      description = "What to explore: a built-in subject (see: list subjects) or a class.")
  @Nullable String name;

  @Option(
      names = "--users",
      paramLabel = "N",
      description = "N different users with one request each. Default: 2.")
  @Nullable Integer users;

  @Option(
      names = "--requests",
      paramLabel = "A,A,B",
      split = ",",
      description = "Who asks, all at the same time: a letter a request.")
  @Nullable List<String> requests;

  @Option(
      names = "--instances",
      paramLabel = "I",
      description = "Application instances. Default: one for every request.")
  @Nullable Integer instances;

  @Option(
      names = "--stock",
      paramLabel = "S",
      description = "Units on sale. Default: ${DEFAULT-VALUE}.")
  long stock = 1;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      converter = Converters.ToMode.class,
      description =
          "exhaustive (every order up to equivalence), random, or pct (few switches first)."
              + " Default: exhaustive.")
  SearchSettings.Mode mode = SearchSettings.Mode.EXHAUSTIVE;

  @Option(
      names = "--faults",
      paramLabel = "WHICH",
      converter = Converters.ToChoices.class,
      description =
          "none, all, or names separated by commas; see: list faults. reconciler and rebuild are no"
              + " faults, but counted with them. Default: none.")
  Choices choices = Choices.NONE;

  @Option(
      names = "--max-faults",
      paramLabel = "K",
      description = "Most faults in one run: 0, 1 or 2. Default: 1 where --faults names any.")
  @Nullable Integer maxFaults;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of the random modes. Default: ${DEFAULT-VALUE}.")
  long seed = 42;

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      converter = Converters.ToDuration.class,
      description = "No further run begins after this time. Default: 120s exhaustive, else 10s.")
  @Nullable Duration budget;

  @Override
  public Integer call() throws Exception {
    Chosen chosen = subject();
    Scenario scenario = scenario();
    SearchSettings settings = settings();
    output.check();
    try (Environment environment = environmentMixin.open(spec)) {
      return environment == null
          ? ExitCode.INCONCLUSIVE
          : explore(chosen, scenario, settings, environment);
    }
  }

  private Chosen subject() {
    return subjectMixin.one(name == null ? List.of() : List.of(name));
  }

  private Scenario scenario() {
    if (users != null && requests != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--users or --requests, not both: --users N is N letters that differ");
    }
    List<String> letters = requests != null ? requests : letters(users == null ? 2 : users);
    if (letters.isEmpty() || letters.size() > MOST_REQUESTS) {
      throw new ParameterException(
          spec.commandLine(),
          "1 to %d requests, not %d"
              .formatted(MOST_REQUESTS, users == null ? letters.size() : users));
    }
    if (instances != null && (instances < 1 || instances > letters.size())) {
      throw new ParameterException(
          spec.commandLine(),
          "--instances must be 1 to %d (one for every request), was %d"
              .formatted(letters.size(), instances));
    }
    try {
      return SearchPlan.requests(letters, stock, instances == null ? letters.size() : instances);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()));
    }
  }

  private static List<String> letters(int count) {
    List<String> letters = new ArrayList<>();
    for (int i = 0; i < Math.min(count, MOST_REQUESTS + 1); i++) {
      letters.add(Character.toString((char) ('A' + i)));
    }
    return letters;
  }

  private SearchSettings settings() {
    boolean exhaustive = mode == SearchSettings.Mode.EXHAUSTIVE;
    Duration time = budget != null ? budget : exhaustive ? EXHAUSTIVE_BUDGET : CHANCE_BUDGET;
    int most = maxFaults != null ? maxFaults : choices.isEmpty() ? 0 : 1;
    if (most > 0 && choices.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--max-faults " + most + " needs --faults; see: stockproof list faults");
    }
    try {
      return new SearchSettings(mode, choices, most, time, seed, true);
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), "--" + wrong.getMessage());
    }
  }

  private int explore(
      Chosen chosen, Scenario scenario, SearchSettings settings, Environment environment)
      throws Exception {
    Instant startedAt = Instant.now();
    Terminal terminal = Terminal.fromLauncher();
    SearchProgress progress = new SearchProgress(spec.commandLine().getErr(), terminal);
    PrintWriter out = spec.commandLine().getOut();
    try (Subject subject = chosen.make().get();
        Explorer explorer = new Explorer(environment, subject, chosen.make())) {
      Exploration found = explorer.explore(scenario, settings, progress);
      progress.end();
      new VerdictTable(out, terminal).paragraph(environment.describe());
      new ExplorationText(out, terminal).print(found);
      List<RunRecord.SubjectRecord> records = List.of(Records.explored(chosen, found));
      return output.write(
          Records.run("explore", seed, found.verdict(), environment, startedAt, records, null),
          out);
    }
  }
}
