package io.stockproof.reports.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code stockproof}: says what it can do. */
@Command(
    name = "stockproof",
    mixinStandardHelpOptions = true,
    versionProvider = VersionProvider.class,
    subcommands = {
      VerifyCommand.class,
      ExploreCommand.class,
      ReplayCommand.class,
      ChaosCommand.class,
      ListCommand.class
    },
    description = {
      "Proves, on real Redis and real MySQL, that a first-come-first-served service gives out"
          + " exactly its stock: never one more, never one less, never two to one person.",
      "",
      "Start with:  stockproof verify",
      ""
    },
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExit codes:%n",
    footer = {
      "  0 pass   1 a rule violated   2 usage   3 inconclusive   70 internal error",
      "",
      "More of a command:  stockproof COMMAND --help"
    })
public final class StockproofCommand implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // set by picocli
  @Spec
  CommandSpec spec;

  StockproofCommand() {}

  /** The command line with its error handling, for use by {@code main} and by tests. */
  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new StockproofCommand());
    commandLine.setParameterExceptionHandler(UsageErrors::handle);
    commandLine.setExecutionExceptionHandler(StockproofCommand::internalError);
    commandLine.setUsageHelpAutoWidth(true);
    return commandLine;
  }

  /** Runs a command and exits with its code. */
  public static void main(String[] args) {
    int code;
    try {
      code = commandLine().execute(args);
    } catch (Error failure) {
      // Otherwise the virtual machine would end with 1, which means that a rule was broken.
      failure.printStackTrace();
      code = ExitCode.INTERNAL_ERROR;
    }
    System.exit(code);
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return ExitCode.PASS;
  }

  private static int internalError(
      Exception failure, CommandLine commandLine, CommandLine.ParseResult parsed) {
    PrintWriter err = commandLine.getErr();
    err.println("stockproof: internal error: " + failure);
    failure.printStackTrace(err);
    return ExitCode.INTERNAL_ERROR;
  }
}
