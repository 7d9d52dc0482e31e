package io.stockproof.reports.cli;

import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.environment.EnvironmentException;
import io.stockproof.verification.environment.EnvironmentOptions;
import io.stockproof.verification.environment.EnvironmentOptions.Choice;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.environment.ExternalOptions;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
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
              + " embedded), embedded, containers or external (servers of yours, which run already)."
              + " Default: auto.")
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

  @Option(
      names = "--jdbc-url",
      paramLabel = "URL",
      description =
          "A database that runs already: jdbc:mysql://HOST:PORT/SCHEMA, for MariaDB as well. Or"
              + " STOCKPROOF_JDBC_URL. An address means --environment external.")
  @Nullable String jdbcUrl;

  @Option(
      names = "--db-user",
      paramLabel = "NAME",
      description = "Its user, who may do anything in the schema. Or STOCKPROOF_DB_USER.")
  @Nullable String dbUser;

  @Option(
      names = "--db-password",
      paramLabel = "PASSWORD",
      description =
          "The user's password. Better STOCKPROOF_DB_PASSWORD: others see what stands on a command"
              + " line.")
  @Nullable String dbPassword;

  @Option(
      names = "--redis-uri",
      paramLabel = "URI",
      description =
          "A Redis that runs already: redis://HOST:PORT/DATABASE. Or STOCKPROOF_REDIS_URI, which is"
              + " also where redis://:PASSWORD@HOST:PORT belongs.")
  @Nullable String redisUri;

  @Option(
      names = "--use-existing",
      description =
          "Use a schema with tables, or a Redis database with keys, that no run made. The tables of"
              + " the subject, such as coupon and issued_coupon, are replaced!")
  boolean useExisting;

  /**
   * Starts the servers that are asked for; null, after a line that says why, if there are none to
   * be had.
   *
   * @throws ParameterException if the options contradict one another
   */
  @Nullable Environment open(CommandSpec spec) {
    return open(spec, false);
  }

  /** The same; if asked to, servers of the user's may be broken for everyone who uses them. */
  @Nullable Environment open(CommandSpec spec, boolean allowDestructive) {
    PrintWriter err = spec.commandLine().getErr();
    try {
      EnvironmentOptions options = options(allowDestructive);
      err.println(
          options.choice() == Choice.EXTERNAL
              ? "looking at Redis and the database…"
              : "starting Redis and the database…");
      err.flush();
      Environment environment = Environments.open(options);
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

  private EnvironmentOptions options(boolean allowDestructive) {
    EnvironmentOptions options = EnvironmentOptions.fromSettings();
    if (choice != null) {
      options = options.withChoice(choice);
    }
    ExternalOptions external = external(options.external(), allowDestructive);
    if (namesServers()) {
      if (choice != null && choice != Choice.EXTERNAL) {
        throw new IllegalArgumentException(
            "--jdbc-url, --db-user, --db-password and --redis-uri are of servers that run already;"
                + " --environment must be external, was '"
                + choice.name().toLowerCase(Locale.ROOT)
                + "'");
      }
      options = options.withChoice(Choice.EXTERNAL);
    }
    options = options.withExternal(external);
    return product != null ? options.withDatabase(product) : options;
  }

  private boolean namesServers() {
    return jdbcUrl != null || dbUser != null || dbPassword != null || redisUri != null;
  }

  private ExternalOptions external(ExternalOptions settings, boolean allowDestructive) {
    ExternalOptions external =
        settings.withServers(
            Optional.ofNullable(jdbcUrl),
            Optional.ofNullable(dbUser),
            Optional.ofNullable(dbPassword),
            Optional.ofNullable(redisUri));
    external = useExisting ? external.usingExisting() : external;
    return allowDestructive ? external.allowingDestructive() : external;
  }
}
