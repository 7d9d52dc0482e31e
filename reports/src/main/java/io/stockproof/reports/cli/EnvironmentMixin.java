package io.stockproof.reports.cli;

import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.environment.EnvironmentException;
import io.stockproof.verification.environment.EnvironmentOptions;
import io.stockproof.verification.environment.EnvironmentOptions.Choice;
import io.stockproof.verification.environment.Environments;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that choose the servers; the same for every command that needs some. */
final class EnvironmentMixin {
  @Option(
      names = "--environment",
      paramLabel = "KIND",
      converter = Converters.ToChoice.class,
      description =
          "Where Redis and the database come from: auto (containers where Docker answers, else"
              + " embedded), embedded, containers or external. Default: auto.")
  @Nullable Choice choice;

  @Option(
      names = "--database",
      paramLabel = "PRODUCT",
      converter = Converters.ToProduct.class,
      description = "mysql or mariadb. Default: mariadb embedded, mysql in containers.")
  @Nullable Product product;

  @Option(
      names = "--snapshot-isolation",
      description =
          "MariaDB with innodb_snapshot_isolation on, where writing a row that changed after it was"
              + " read is error 1020. Default: off, as MySQL behaves.")
  boolean snapshotIsolation;

  /**
   * Starts the servers that are asked for; null, after a line that says why, if there are none to
   * be had.
   *
   * @throws ParameterException if the options contradict one another
   */
  @Nullable Environment open(CommandSpec spec) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("starting Redis and the database…");
    err.flush();
    try {
      Environment environment = Environments.open(options());
      // Interleavings are the same without waiting for the disk, and there are more of them.
      environment.durable(false);
      return isolated(environment, spec);
    } catch (EnvironmentException | UnsupportedOperationException noServers) {
      err.println("stockproof: no servers: " + noServers.getMessage());
      return null;
    } catch (IllegalArgumentException contradiction) {
      throw new ParameterException(spec.commandLine(), String.valueOf(contradiction.getMessage()));
    }
  }

  private Environment isolated(Environment environment, CommandSpec spec) {
    if (snapshotIsolation) {
      try {
        environment.snapshotIsolation(true);
      } catch (UnsupportedOperationException mysql) {
        environment.close();
        throw new ParameterException(
            spec.commandLine(), "--snapshot-isolation needs MariaDB: " + mysql.getMessage());
      }
    }
    return environment;
  }

  private EnvironmentOptions options() {
    EnvironmentOptions options = EnvironmentOptions.fromSettings();
    if (choice != null) {
      options = options.withChoice(choice);
    }
    return product != null ? options.withDatabase(product) : options;
  }
}
