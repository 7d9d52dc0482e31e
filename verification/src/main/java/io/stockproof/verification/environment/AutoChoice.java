package io.stockproof.verification.environment;

import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/**
 * What {@code auto} means: containers where they start within seconds, else embedded servers; MySQL
 * in containers only.
 */
final class AutoChoice {

  private static final Logger LOG = LoggerFactory.getLogger(AutoChoice.class);
  private static final String RYUK_OFF = "TESTCONTAINERS_RYUK_DISABLED";

  /** What Testcontainers 2.0.5 starts first of all; it tells nobody. */
  private static final String RYUK = "testcontainers/ryuk:0.14.0";

  private AutoChoice() {}

  /**
   * Opens what there is.
   *
   * @param variables environment variables of this JVM
   * @throws EnvironmentException if neither kind can be opened
   */
  static RunningEnvironment open(EnvironmentOptions options, Map<String, String> variables) {
    String reason;
    try {
      DockerEngine engine = DockerProbe.answeringEngine(variables);
      DockerProbe.requireImages(engine, images(options, variables));
      return new RunningEnvironment(
          ContainerServers.start(engine, options), "a Docker engine answers", options);
    } catch (IOException e) {
      reason = String.valueOf(e.getMessage());
    } catch (EnvironmentException e) {
      LOG.warn("containers=failed", e);
      reason = String.valueOf(e.getMessage());
    }
    if (options.database().filter(Product.MYSQL::equals).isPresent()) {
      throw new EnvironmentException("MySQL runs in containers only, and " + reason);
    }
    try {
      return new RunningEnvironment(EmbeddedServers.start(options), reason, options);
    } catch (EnvironmentException e) {
      throw new EnvironmentException(e.getMessage() + " (" + reason + ")", e);
    }
  }

  /**
   * Also Testcontainers' own reaper, unless it is switched off; under the names that its settings
   * make of them.
   */
  static List<String> images(EnvironmentOptions options, Map<String, String> variables) {
    List<String> images = new ArrayList<>(List.of(options.databaseImage(), options.redisImage()));
    if (!Boolean.parseBoolean(variables.get(RYUK_OFF))) {
      images.add(RYUK);
    }
    ImageNameSubstitutor substitutor = ImageNameSubstitutor.instance();
    return images.stream()
        .map(DockerImageName::parse)
        .map(substitutor)
        .map(DockerImageName::asCanonicalNameString)
        .toList();
  }
}
