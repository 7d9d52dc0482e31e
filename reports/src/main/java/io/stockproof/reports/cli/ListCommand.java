package io.stockproof.reports.cli;

import io.stockproof.chaos.FaultFamily;
import io.stockproof.chaos.Faults;
import io.stockproof.verification.explore.CommandFault;
import io.stockproof.verification.explore.Recovery;
import io.stockproof.verification.gallery.Gallery;
import io.stockproof.verification.gallery.Mutant;
import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.subjects.Subjects;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code list}: what there is. */
@Command(
    name = "list",
    description = "Lists what there is: subjects, rules, faults or mutants.",
    mixinStandardHelpOptions = true,
    subcommands = {
      ListCommand.OfSubjects.class,
      ListCommand.OfRules.class,
      ListCommand.OfFaults.class,
      ListCommand.OfMutants.class
    },
    synopsisSubcommandLabel = "subjects|rules|faults|mutants")
final class ListCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine()
        .getErr()
        .println("stockproof: list what? allowed: subjects, rules, faults, mutants");
    return ExitCode.USAGE;
  }

  /** One list: it needs no servers and cannot fail. */
  @Command(mixinStandardHelpOptions = true)
  abstract static class Listing implements Callable<Integer> {
    @SuppressWarnings("NullAway.Init") // set by picocli
    @Spec
    CommandSpec spec;

    abstract void print(PrintWriter out);

    @Override
    public final Integer call() {
      print(spec.commandLine().getOut());
      return ExitCode.PASS;
    }
  }

  @Command(name = "subjects", description = "Implementations that can be verified.")
  static final class OfSubjects extends Listing {
    private static final String NAME = "%-18s";
    private static final Terminal TERMINAL = Terminal.fromLauncher();

    @Override
    void print(PrintWriter out) {
      for (Subjects.Entry entry : Subjects.all()) {
        print(out, entry.name(), entry.summary());
        print(out, "", "from " + entry.source());
        ExpectedRules expected = entry.expected();
        printRules(out, "breaks", expected.calm());
        printRules(out, "with 2 instances also", expected.moreInstances());
        printRules(out, "with faults also", expected.faults());
      }
      out.println();
      out.println(
          """
          "from": the article by its number, and where in it; docs/experiments.md says
          what each is about. --unique, or +unique at the end of a name, adds the
          unique key that 001 and 004 leave out.""");
    }

    private static void printRules(PrintWriter out, String when, Set<Rule> rules) {
      if (!rules.isEmpty()) {
        String ids = new TreeSet<>(rules).stream().map(Rule::id).collect(Collectors.joining(" "));
        print(out, "", when + ": " + ids);
      }
    }

    /** A text beside a name. */
    private static void print(PrintWriter out, String name, String text) {
      TERMINAL.printWords(
          out, NAME.formatted(name), List.of(text.split(" ", -1)), NAME.formatted(""));
    }
  }

  @Command(
      name = "faults",
      description = "What can go wrong: at a command of a search, and under load.")
  static final class OfFaults extends Listing {
    private static final String NAME = "%-25s";
    private static final Terminal TERMINAL = Terminal.fromLauncher();

    @Override
    void print(PrintWriter out) {
      out.println("of explore --faults, at one command of a run:");
      for (CommandFault fault : CommandFault.values()) {
        print(out, "  " + fault.title(), fault.meaning());
      }
      for (Recovery recovery : Recovery.values()) {
        print(out, "  " + recovery.title(), recovery.meaning());
      }
      print(out, "  error", "all whose name begins with error");
      print(out, "  lease-expiry", "another name of key-expiry");
      out.println();
      out.println("of chaos --fault, under load, by family (a family's name means all of it):");
      for (FaultFamily family : FaultFamily.values()) {
        out.println();
        print(out, family.title(), family.meaning());
        Faults.of(family).forEach(fault -> print(out, "  " + fault.title(), fault.meaning()));
      }
    }

    private static void print(PrintWriter out, String name, String text) {
      TERMINAL.printWords(
          out, NAME.formatted(name), List.of(text.split(" ", -1)), NAME.formatted(""));
    }
  }

  @Command(
      name = "mutants",
      description = "The gallery: issuers with one planted mistake, for verify --prove.")
  static final class OfMutants extends Listing {
    @Override
    void print(PrintWriter out) {
      for (Mutant mutant : Gallery.all()) {
        String cases = String.join(", ", mutant.cases());
        out.printf("%-36s caught by %s  cases %s%n", mutant.name(), mutant.rule().id(), cases);
        out.printf("  %s%n", mutant.mistake());
      }
    }
  }

  @Command(name = "rules", description = "The rules of SPEC.md, and what they are judged by.")
  static final class OfRules extends Listing {
    @Override
    void print(PrintWriter out) {
      for (Rule rule : Rule.values()) {
        String judgedBy =
            switch (rule.means()) {
              case STEPWISE_AND_STRESS -> "search, stress";
              case STEPWISE -> "search";
              case STRESS -> "stress";
              case CAMPAIGN -> "chaos";
              case NOT_YET -> "not yet judged";
            };
        out.printf("%s %-6s %-42s %s%n", rule.id(), rule.strength(), rule.title(), judgedBy);
      }
    }
  }
}
