package io.stockproof.verification.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** One MariaDB server with a schema, an application user and an admin. */
record EmbeddedMariaDb(MariaDbBinaries binaries, SchemaSetup setup)
    implements EmbeddedServer.Launch {

  @Override
  public String name() {
    return "mariadb";
  }

  /** Each start has the users' random passwords, in a file that only this user may read. */
  @Override
  public void prepare(Path folder) throws IOException {
    Folders.copy(binaries.template(), data(folder));
    Files.writeString(
        folder.resolve("init.sql"), String.join(";\n", setup.statements()) + ";\n", UTF_8);
  }

  @Override
  public List<String> command(Path folder, int port) {
    try {
      List<String> command = MariaDbBinaries.baseCommand(binaries.folder(), data(folder));
      command.addAll(
          List.of(
              "--bind-address=" + Loopback.HOST,
              "--port=" + port,
              // Relative to the data folder: an absolute path may be longer than a socket's may be.
              "--socket=mariadb.sock",
              "--pid-file=mariadb.pid",
              "--init-file=" + folder.resolve("init.sql"),
              "--skip-name-resolve",
              // A server with TLS makes a 4096-bit key at each start, which takes seconds.
              "--skip-ssl",
              "--skip-log-bin",
              "--max-connections=1000",
              "--character-set-server=utf8mb4",
              "--default-time-zone=+00:00",
              "--transaction-isolation=REPEATABLE-READ",
              "--innodb-flush-log-at-trx-commit=1",
              "--innodb-snapshot-isolation=OFF",
              "--innodb-buffer-pool-size=128M",
              "--innodb-print-all-deadlocks=OFF"));
      return command;
    } catch (IOException e) {
      throw new EnvironmentException("could not read " + data(folder), e);
    }
  }

  @Override
  public String version(int port) throws SQLException {
    String url =
        new Environment.DatabaseServer(
                Environment.DatabaseServer.Product.MARIADB, "", Loopback.HOST, port, setup.schema())
            .jdbcUrl();
    return DatabaseProbe.version(url, setup.admin());
  }

  private static Path data(Path folder) {
    return folder.resolve("data");
  }
}
