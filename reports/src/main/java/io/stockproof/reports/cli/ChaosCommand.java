package io.stockproof.reports.cli;

import io.stockproof.chaos.Campaign;
import io.stockproof.chaos.CampaignResult;
import io.stockproof.chaos.CampaignSettings;
import io.stockproof.chaos.Fault;
import io.stockproof.chaos.FaultPlan;
import io.stockproof.chaos.Faults;
import io.stockproof.reports.RunRecord;
import io.stockproof.reports.cli.SubjectMixin.Chosen;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.subjects.Subjects;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code chaos}: a load, and faults of servers and networks beside it. */
@Command(
    name = "chaos",
    mixinStandardHelpOptions = true,
    description = {
      "Sells a coupon to a constant stream of callers while Redis, the database or the network"
          + " break, then looks whether every unit was given exactly once, and how soon issuing"
          + " went on. What was broken is mended, also if the run is interrupted.",
      "",
      "A fault that no instance saw, or in whose time nothing was issued, makes the run"
          + " INCONCLUSIVE.",
      ""
    },
    optionListHeading = "%nOptions:%n",
    parameterListHeading = "%nParameters:%n",
    footerHeading = "%nExamples:%n",
    footer = {
      "  stockproof chaos stockproof --fault redis-pause --duration 30s",
      "  stockproof chaos lua-gate --fault redis-kill --fault redis-flush",
      "  stockproof chaos stockproof --fault random --duration 2m --seed 7"
    })
final class ChaosCommand implements Callable<Integer> {
  private static final String RANDOM = "random";

  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  CommandSpec spec;

  @Mixin EnvironmentMixin environmentMixin = new EnvironmentMixin();
  @Mixin SubjectMixin subjectMixin = new SubjectMixin();
  @Mixin OutputMixin output = new OutputMixin();

  @Parameters(
      paramLabel = "SUBJECT",
      arity = "0..1",
      description = "What is to hold out: a built-in subject (see: list subjects) or a class.")
  List<String> names = new ArrayList<>();

  @Option(
      names = "--fault",
      paramLabel = "NAME",
      required = true,
      split = ",",
      description =
          "A fault, or a family for all of its faults, one after the other; may be given several"
              + " times. random: any fault at any time, by --seed. See: list faults.")
  List<String> faultNames = new ArrayList<>();

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = Converters.ToDuration.class,
      description = "Of the load; 4s or more for each fault. Default: 30s.")
  Duration duration = CampaignSettings.defaults().duration();

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Calls that begin each second, come what may. Default: ${DEFAULT-VALUE}.")
  int rate = CampaignSettings.defaults().ratePerSecond();

  @Option(
      names = "--instances",
      paramLabel = "I",
      description = "Application instances, in this JVM. Default: 2.")
  @Nullable Integer instances;

  @Option(
      names = "--jvms",
      paramLabel = "J",
      description =
          "Application instances, each a JVM of its own that can be killed; of built-in subjects."
              + " Instead of --instances.")
  @Nullable Integer jvms;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of the plan and of who asks. Default: ${DEFAULT-VALUE}.")
  long seed = 42;

  @Option(
      names = "--allow-destructive",
      description =
          "On servers of yours (--jdbc-url, --redis-uri): allow faults that everyone who uses them"
              + " meets, such as FLUSHALL.")
  boolean allowDestructive;

  @Override
  public Integer call() throws Exception {
    Chosen chosen = subjectMixin.one(names);
    CampaignSettings settings = settings();
    if (settings.ownJvms() && Subjects.inService(chosen.name()).isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--jvms is for built-in subjects, not for '" + chosen.name() + "'");
    }
    // Before servers are started: names and times that cannot be.
    plan(named());
    output.check();
    try (Environment environment = environmentMixin.open(spec, allowDestructive)) {
      if (environment == null) {
        return ExitCode.INCONCLUSIVE;
      }
      // What was acknowledged must outlive a server that is killed.
      environment.durable(true);
      return run(chosen, settings, environment);
    }
  }

  private CampaignSettings settings() {
    if (instances != null && jvms != null) {
      throw new ParameterException(spec.commandLine(), "--instances or --jvms, not both");
    }
    Integer number = jvms != null ? jvms : instances;
    CampaignSettings defaults = CampaignSettings.defaults();
    try {
      CampaignSettings settings =
          defaults
              .lasting(duration)
              .loadedWith(rate, number == null ? defaults.instances() : number);
      return jvms == null ? settings : settings.inOwnJvms();
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), "--" + wrong.getMessage());
    }
  }

  private List<Fault> named() {
    List<Fault> faults = new ArrayList<>();
    for (String name : faultNames) {
      try {
        faults.addAll(name.equals(RANDOM) ? Faults.all() : Faults.named(name));
      } catch (IllegalArgumentException unknown) {
        String meant = Suggestions.question(name, Faults.names());
        throw new ParameterException(
            spec.commandLine(), "--fault: " + meant + unknown.getMessage());
      }
    }
    return faults;
  }

  private FaultPlan plan(List<Fault> faults) {
    try {
      return faultNames.contains(RANDOM)
          ? FaultPlan.random(faults, duration, seed)
          : FaultPlan.inTurn(faults, duration, seed);
    } catch (IllegalArgumentException tooShort) {
      throw new ParameterException(spec.commandLine(), "--" + tooShort.getMessage());
    }
  }

  private int run(Chosen chosen, CampaignSettings settings, Environment environment)
      throws Exception {
    Instant startedAt = Instant.now();
    PrintWriter out = spec.commandLine().getOut();
    Terminal terminal = Terminal.fromLauncher();
    Supplier<? extends Subject> make =
        Subjects.inService(chosen.name())
            .<Supplier<? extends Subject>>map(s -> s)
            .orElse(chosen.make());
    try (Subject subject = make.get()) {
      List<Fault> possible = possible(subject, environment, settings);
      FaultPlan plan = plan(possible);
      ChaosText text = new ChaosText(out, terminal);
      text.heading(environment, chosen.name(), settings, plan);
      Progress progress =
          new Progress(
              spec.commandLine().getErr(),
              terminal,
              2 * plan.strikes().size() + 2,
              System::nanoTime);
      CampaignResult result =
          Campaign.run(environment, subject, plan, settings, what -> step(progress, what));
      progress.end();
      text.print(result);
      RunRecord run = Records.campaign(chosen, settings, result, environment, startedAt);
      return output.write(run, out);
    }
  }

  private static void step(Progress progress, String what) {
    synchronized (progress) {
      progress.step(what);
    }
  }

  /** Of a family or of all, those that can be; one that was named itself must be. */
  private List<Fault> possible(
      Subject subject, Environment environment, CampaignSettings settings) {
    List<Fault> possible = new ArrayList<>();
    for (Fault fault : named()) {
      Optional<String> why = Faults.impossible(fault, environment, subject, settings);
      if (why.isEmpty()) {
        possible.add(fault);
      } else if (faultNames.contains(fault.title())) {
        throw new ParameterException(
            spec.commandLine(), "--fault: '%s' %s".formatted(fault.title(), why.get()));
      } else {
        spec.commandLine().getErr().printf("left out: %s %s%n", fault.title(), why.get());
      }
    }
    if (possible.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--fault: none of these can be done here");
    }
    return possible;
  }
}
