package io.stockproof.verification.environment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folders that are made once and kept: unpacked binaries, an initialised data folder. Each is built
 * under another name and renamed when complete, with a list of its files and their sizes, so that a
 * half-written or damaged one is noticed and made again. Safe for several threads and JVMs.
 */
final class BinaryCache {

  private static final Logger LOG = LoggerFactory.getLogger(BinaryCache.class);
  private static final Setting FOLDER = new Setting("stockproof.cache");
  private static final String MANIFEST = "stockproof.manifest";
  private static final Object IN_THIS_JVM = new Object();

  /** Fills an empty folder. */
  @FunctionalInterface
  interface Builder {
    /** Writes everything into the folder, or throws. */
    void build(Path folder) throws IOException;
  }

  private final Path root;

  BinaryCache(Path root) {
    this.root = root;
  }

  /**
   * The cache of this user: {@code stockproof.cache} (or {@code STOCKPROOF_CACHE}) if set, else
   * {@code $XDG_CACHE_HOME/stockproof}, else {@code ~/.cache/stockproof}; a folder in the temporary
   * folder if that cannot be written.
   */
  static BinaryCache ofThisUser() {
    @Nullable String xdg = System.getenv("XDG_CACHE_HOME");
    Path usual =
        xdg == null || xdg.isBlank() || !Path.of(xdg).isAbsolute()
            ? Path.of(System.getProperty("user.home", "."), ".cache")
            : Path.of(xdg);
    Path root = FOLDER.text().map(Path::of).orElseGet(() -> usual.resolve("stockproof"));
    if (writable(root)) {
      return new BinaryCache(root);
    }
    Path instead = temporaryRoot();
    LOG.info("cache={} writable=false instead={}", root, instead);
    return new BinaryCache(instead);
  }

  private static boolean writable(Path folder) {
    try {
      Files.createDirectories(folder);
      Files.delete(Files.createTempFile(folder, ".probe", ""));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** A fixed name serves the next run; a folder of somebody else under it is not trusted. */
  private static Path temporaryRoot() {
    Path mine = Folders.temporary("cache");
    Path wanted =
        mine.resolveSibling("stockproof-cache-of-" + System.getProperty("user.name", "user"));
    try {
      if (!Files.exists(wanted)) {
        return Files.move(mine, wanted, StandardCopyOption.ATOMIC_MOVE);
      }
      if (!Files.isSymbolicLink(wanted)
          && Files.getOwner(wanted).equals(Files.getOwner(mine))
          && writable(wanted)) {
        Files.delete(mine);
        return wanted;
      }
    } catch (IOException e) {
      LOG.debug("cache={} usable=false", wanted, e);
    }
    return mine;
  }

  /**
   * The folder of this name, built now if it is not there or not complete.
   *
   * @throws EnvironmentException if it cannot be built
   */
  Path folder(String name, Builder builder) {
    Path folder = root.resolve(name);
    try {
      if (complete(folder)) {
        return folder;
      }
      synchronized (IN_THIS_JVM) {
        try (FileChannel channel =
                FileChannel.open(
                    root.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.lock()) {
          LOG.debug("cache={} locked={}", root, lock.isValid());
          if (!complete(folder)) {
            build(folder, builder);
          }
        }
      }
      return folder;
    } catch (IOException e) {
      throw new EnvironmentException("could not prepare " + folder + ": " + e.getMessage(), e);
    }
  }

  private void build(Path folder, Builder builder) throws IOException {
    long started = System.nanoTime();
    Path building = root.resolve(".building-" + folder.getFileName() + "-" + UUID.randomUUID());
    try {
      removeUnfinished(".building-" + folder.getFileName() + "-");
      Files.createDirectories(building);
      builder.build(building);
      Files.write(building.resolve(MANIFEST), manifest(building));
      Folders.remove(folder);
      Files.move(building, folder, StandardCopyOption.ATOMIC_MOVE);
      LOG.info("cache={} builtMillis={}", folder, (System.nanoTime() - started) / 1_000_000);
    } finally {
      Folders.remove(building);
    }
  }

  /** The lock is held: whoever was building this name is dead. */
  private void removeUnfinished(String prefix) throws IOException {
    try (var left = Files.newDirectoryStream(root, prefix + "*")) {
      for (Path unfinished : left) {
        Folders.remove(unfinished);
      }
    }
  }

  private static List<String> manifest(Path folder) throws IOException {
    List<Path> files = Folders.files(folder);
    return files.stream()
        .map(folder::relativize)
        .filter(file -> !file.toString().equals(MANIFEST))
        .map(file -> folder.resolve(file).toFile().length() + " " + file)
        .sorted()
        .toList();
  }

  private static boolean complete(Path folder) throws IOException {
    Path manifest = folder.resolve(MANIFEST);
    return Files.isRegularFile(manifest) && Files.readAllLines(manifest).equals(manifest(folder));
  }
}
