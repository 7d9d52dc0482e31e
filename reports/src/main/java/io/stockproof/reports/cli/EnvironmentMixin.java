package io.stockproof.reports.cli;

import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.environment.EnvironmentOptions;
import io.stockproof.verification.environment.EnvironmentOptions.Choice;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

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

  EnvironmentOptions options() {
    EnvironmentOptions options = EnvironmentOptions.fromSettings();
    if (choice != null) {
      options = options.withChoice(choice);
    }
    return product != null ? options.withDatabase(product) : options;
  }
}
