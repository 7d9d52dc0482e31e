package io.stockproof.verification.environment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A missing or broken engine costs at most 2 s; a missing registry a few seconds. */
class DockerProbeTest {

  private static final Duration BROKEN_ENGINE = Duration.ofSeconds(2);
  private static final EnvironmentOptions MYSQL =
      EnvironmentOptions.defaults().withDatabase(Product.MYSQL);

  @TempDir Path folder;
  private long started;

  @BeforeEach
  void startTheClock() {
    started = System.nanoTime();
  }

  private Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - started);
  }

  private Map<String, String> variables(Path socket) {
    return Map.of("DOCKER_HOST", "unix://" + socket, "TESTCONTAINERS_RYUK_DISABLED", "true");
  }

  @Test
  void anEngineThatIsNotThereIsNamed() {
    Path socket = folder.resolve("none.sock");
    assertThatExceptionOfType(EnvironmentException.class)
        .isThrownBy(() -> AutoChoice.open(MYSQL, variables(socket)))
        .withMessage(
            "MySQL runs in containers only, and no Docker engine: DOCKER_HOST names "
                + socket
                + ", not there");
    assertThat(elapsed()).isLessThan(BROKEN_ENGINE);
  }

  @Test
  void anEngineThatAcceptsAndNeverAnswersIsGivenUp() throws Exception {
    try (FakeEngine engine = new FakeEngine(folder, request -> null)) {
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> DockerProbe.answeringEngine(variables(engine.socket())))
          .withMessage("the Docker engine does not answer: no answer to GET /_ping within 1200 ms");
    }
    assertThat(elapsed()).isLessThan(BROKEN_ENGINE);
  }

  @Test
  void somethingElseOnTheSocketIsNotAnEngine() throws Exception {
    try (FakeEngine engine = new FakeEngine(folder, request -> "-ERR unknown command\r\n")) {
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> DockerProbe.answeringEngine(variables(engine.socket())))
          .withMessageContaining("not an HTTP answer");
    }
  }

  @Test
  void anEngineWithoutImagesAndARegistryThatHangsIsGivenUp() throws Exception {
    try (FakeEngine engine = new FakeEngine(folder, FakeEngine::withoutImagesAndRegistryHangs)) {
      assertThatExceptionOfType(EnvironmentException.class)
          .isThrownBy(() -> AutoChoice.open(MYSQL, variables(engine.socket())))
          .withMessageContaining("image mysql:8.4 is not here")
          .withMessageContaining("'docker pull mysql:8.4'");
    }
    assertThat(elapsed()).isLessThan(Duration.ofSeconds(4));
  }

  @Test
  void withoutContainersAutoIsEmbeddedAndSaysWhy() throws Exception {
    try (FakeEngine engine = new FakeEngine(folder, FakeEngine::withoutImagesOrRegistry);
        Environment environment =
            AutoChoice.open(EnvironmentOptions.defaults(), variables(engine.socket()))) {
      assertThat(environment.kind()).isEqualTo(Environment.Kind.EMBEDDED);
      assertThat(environment.describe())
          .startsWith("embedded: Redis ")
          .contains("image mysql:8.4 is not here, nor in a registry");
    }
  }

  @Test
  void withContainersAutoTakesThem() {
    EnvironmentOptions options = LocalDocker.assumeImages();
    try (Environment environment = AutoChoice.open(options, System.getenv())) {
      assertThat(environment.kind()).isEqualTo(Environment.Kind.CONTAINERS);
      assertThat(environment.describe()).contains("a Docker engine answers");
    }
  }

  @Test
  void anotherSchemeIsNamed() {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> DockerEngine.find(Map.of("DOCKER_HOST", "ssh://somewhere")))
        .withMessage("DOCKER_HOST is neither unix:// nor tcp://, was ssh://somewhere");
  }

  @Test
  void anAnswerIsReadToItsEnd() throws Exception {
    String body = "x".repeat(100_000);
    try (FakeEngine engine = new FakeEngine(folder, request -> FakeEngine.http(200, body))) {
      DockerEngine.Answer answer =
          DockerEngine.find(variables(engine.socket()))
              .request("GET", "/any", Duration.ofSeconds(2));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.body().getBytes(UTF_8)).hasSize(100_000);
      assertThat(engine.requests()).isEqualTo(List.of("GET /any HTTP/1.0"));
    }
  }
}
