package io.stockproof.reports.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** One line that names what is wrong and what is allowed; exit code 2. */
final class UsageErrors {
  private UsageErrors() {}

  static int handle(ParameterException failure, String[] args) {
    CommandLine commandLine = failure.getCommandLine();
    String message =
        failure instanceof UnmatchedArgumentException unmatched
            ? unmatched(unmatched)
            : String.valueOf(failure.getMessage());
    commandLine.getErr().println("stockproof: " + message.replace('\n', ' '));
    return ExitCode.USAGE;
  }

  private static String unmatched(UnmatchedArgumentException failure) {
    CommandLine commandLine = failure.getCommandLine();
    String given = failure.getUnmatched().get(0);
    boolean option = given.startsWith("-");
    List<String> allowed = new ArrayList<>();
    if (option) {
      commandLine.getCommandSpec().options().forEach(o -> allowed.add(o.longestName()));
    } else {
      allowed.addAll(commandLine.getSubcommands().keySet());
    }
    String name = option && given.contains("=") ? given.substring(0, given.indexOf('=')) : given;
    String meant = Suggestions.question(name, allowed);
    String what = option ? "option" : allowed.isEmpty() ? "argument" : "command";
    return "unknown %s '%s'; %s%s"
        .formatted(
            what,
            name,
            meant,
            allowed.isEmpty() ? "none is taken here" : "allowed: " + String.join(", ", allowed));
  }
}
