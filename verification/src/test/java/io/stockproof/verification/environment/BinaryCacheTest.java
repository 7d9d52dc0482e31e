package io.stockproof.verification.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinaryCacheTest {

  @TempDir Path root;
  private final AtomicInteger builds = new AtomicInteger();

  private void build(Path folder) throws IOException {
    builds.incrementAndGet();
    Files.createDirectories(folder.resolve("bin"));
    Files.writeString(folder.resolve("bin/server"), "program");
    Files.writeString(folder.resolve("notes"), "text");
  }

  @Test
  void aFolderIsBuiltOnce() {
    Path first = new BinaryCache(root).folder("server", this::build);
    Path second = new BinaryCache(root).folder("server", this::build);
    assertThat(second).isEqualTo(first);
    assertThat(second.resolve("bin/server")).hasContent("program");
    assertThat(builds).hasValue(1);
  }

  @Test
  void threadsAtTheSameTimeBuildItOnce() {
    IntStream.range(0, 8)
        .parallel()
        .forEach(i -> new BinaryCache(root).folder("server", this::build));
    assertThat(builds).hasValue(1);
  }

  @Test
  void aDamagedFolderIsBuiltAgain() throws Exception {
    Path folder = new BinaryCache(root).folder("server", this::build);
    Files.writeString(folder.resolve("bin/server"), "prog");
    new BinaryCache(root).folder("server", this::build);
    assertThat(folder.resolve("bin/server")).hasContent("program");
    Files.delete(folder.resolve("notes"));
    new BinaryCache(root).folder("server", this::build);
    assertThat(folder.resolve("notes")).hasContent("text");
    assertThat(builds).hasValue(3);
  }

  @Test
  void whatADeadJvmLeftHalfBuiltIsRemoved() throws Exception {
    Path unfinished = Files.createDirectories(root.resolve(".building-server-of-the-dead/bin"));
    Files.writeString(unfinished.resolve("server"), "pro");
    new BinaryCache(root).folder("server", this::build);
    assertThat(root.resolve(".building-server-of-the-dead")).doesNotExist();
  }

  @Test
  void aFailedBuildLeavesNothing() {
    assertThatExceptionOfType(EnvironmentException.class)
        .isThrownBy(
            () ->
                new BinaryCache(root)
                    .folder(
                        "server",
                        folder -> {
                          Files.writeString(folder.resolve("half"), "x");
                          throw new IOException("disk full");
                        }))
        .withMessageContaining("could not prepare " + root.resolve("server") + ": disk full");
    assertThat(root.toFile().list()).containsExactly(".lock");
  }
}
