package io.stockproof.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FaultWindowTest {

  @Test
  void closing_undoes_the_fault_once() throws Exception {
    AtomicInteger undone = new AtomicInteger();

    FaultWindow window = FaultWindow.open(() -> undone::incrementAndGet);
    assertThat(undone).hasValue(0);
    window.close();
    window.close();

    assertThat(undone).hasValue(1);
  }

  @Test
  void a_run_that_fails_undoes_the_fault() {
    AtomicInteger undone = new AtomicInteger();

    assertThatThrownBy(
            () -> {
              try (FaultWindow window = FaultWindow.open(() -> undone::incrementAndGet)) {
                throw new IllegalStateException("at " + window.openedNanos());
              }
            })
        .isInstanceOf(IllegalStateException.class);

    assertThat(undone).hasValue(1);
  }

  @Test
  void a_jvm_that_is_told_to_end_undoes_the_fault(@TempDir Path folder) throws Exception {
    Path undone = folder.resolve("undone");
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Waiting.class.getName(),
                undone.toString())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader told = jvm.inputReader(StandardCharsets.UTF_8)) {
      assertThat(told.readLine()).isEqualTo("open");
      assertThat(undone).doesNotExist();

      // Not by Ctrl-C: what a script runs in the background ignores it.
      new ProcessBuilder("sh", "-c", "kill -TERM " + jvm.pid()).start().waitFor();

      await().atMost(Duration.ofSeconds(30)).until(() -> !jvm.isAlive());
      assertThat(undone).hasContent("undone");
    } finally {
      jvm.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
  }

  /** A program that waits in the window of a fault. */
  static final class Waiting {
    private Waiting() {}

    public static void main(String[] args) throws Exception {
      Path undone = Path.of(args[0]);
      try (FaultWindow window = FaultWindow.open(() -> () -> Files.writeString(undone, "undone"))) {
        System.out.println("open");
        TimeUnit.SECONDS.sleep(60 + Long.signum(window.openedNanos()));
      }
    }
  }
}
