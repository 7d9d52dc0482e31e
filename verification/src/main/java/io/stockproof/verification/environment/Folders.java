package io.stockproof.verification.environment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whole folders: copied, removed, listed. */
final class Folders {

  private Folders() {}

  /** A new folder of this user in the temporary folder of the JVM. */
  static Path temporary(String name) {
    try {
      return Files.createTempDirectory("stockproof-" + name + "-").toRealPath();
    } catch (IOException e) {
      throw new EnvironmentException(
          "could not make a folder in " + System.getProperty("java.io.tmpdir"), e);
    }
  }

  /** The regular files below a folder, in no order. */
  static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(Files::isRegularFile).toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Copies a folder, also one inside a jar, to a path on disk. */
  static void copy(Path source, Path target) throws IOException {
    Files.createDirectories(target);
    for (Path file : files(source)) {
      Path copy = target.resolve(source.relativize(file).toString());
      Path parent = copy.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Files.copy(file, copy);
    }
  }

  /** Lets this user run a file that came from a jar, which knows no permissions. */
  static void allowToRun(Path file) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Removes a folder with all it has; does nothing if there is none. */
  static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
