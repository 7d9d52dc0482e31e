package io.stockproof.verification.environment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.stockproof.verification.environment.EnvironmentOptions.Choice;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The servers are gone soon after their JVM was killed with SIGKILL. */
@Timeout(120)
class KilledJvmTest {

  private static final Duration SOON = Duration.ofSeconds(10);

  @Test
  void embeddedServersAndTheirFoldersVanish() throws Exception {
    List<String> facts = openInAJvmAndKillIt(Choice.EMBEDDED);
    long mariadb = Long.parseLong(facts.get(0));
    long redis = Long.parseLong(facts.get(1));
    Path data = Path.of(facts.get(2));
    Path dir = Path.of(facts.get(3));
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              assertThat(ProcessHandle.of(mariadb)).as("mariadbd").isEmpty();
              assertThat(ProcessHandle.of(redis)).as("redis-server").isEmpty();
              assertThat(data).doesNotExist();
              assertThat(dir).doesNotExist();
            });
  }

  @Test
  void containersVanish() throws Exception {
    LocalDocker.assumeImages();
    List<String> facts = openInAJvmAndKillIt(Choice.CONTAINERS);
    DockerEngine engine = DockerProbe.answeringEngine(System.getenv());
    String filter = "%7B%22label%22%3A%5B%22io.stockproof.pid%3D" + facts.get(0) + "%22%5D%7D";
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(
                        engine
                            .request(
                                "GET",
                                "/containers/json?all=1&filters=" + filter,
                                Duration.ofSeconds(5))
                            .body()
                            .strip())
                    .isEqualTo("[]"));
  }

  /** What {@link OpensEnvironment} printed before it was killed. */
  private static List<String> openInAJvmAndKillIt(Choice choice) throws IOException {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                OpensEnvironment.class.getName(),
                choice.name())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output = jvm.inputReader(UTF_8)) {
      List<String> facts =
          output
              .lines()
              .filter(line -> line.startsWith(OpensEnvironment.MARK))
              .findFirst()
              .map(line -> List.of(line.substring(OpensEnvironment.MARK.length()).split(" ")))
              .orElseThrow(() -> new IOException("the JVM printed nothing"));
      assertThat(jvm.isAlive()).isTrue();
      return facts;
    } finally {
      jvm.destroyForcibly();
    }
  }
}
