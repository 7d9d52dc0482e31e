package io.stockproof.reports.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** What the tests of the command line share: a command, and what it printed. */
abstract class RunsCommands {
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  int execute(String... args) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    CommandLine commandLine = StockproofCommand.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(args);
  }

  void saysInOneLine(String... words) {
    assertThat(err.toString().strip()).startsWith("stockproof: ").doesNotContain("\n");
    assertThat(err.toString()).contains(words);
    assertThat(out.toString()).isEmpty();
  }
}
