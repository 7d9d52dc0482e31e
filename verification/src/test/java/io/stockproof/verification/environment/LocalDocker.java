package io.stockproof.verification.environment;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** Whether tests with containers can run here, without any download. */
final class LocalDocker {

  private LocalDocker() {}

  /** What is set from outside for this build. */
  static EnvironmentOptions options() {
    return EnvironmentOptions.fromSettings();
  }

  /** Skips the test, saying why, unless the engine has the images of {@link #options()}. */
  static EnvironmentOptions assumeImages() {
    try {
      Map<String, String> variables = System.getenv();
      DockerEngine engine = DockerProbe.answeringEngine(variables);
      for (String image : AutoChoice.images(options(), variables)) {
        if (!DockerProbe.present(engine, image)) {
          throw new IOException("no image " + image);
        }
      }
    } catch (IOException e) {
      System.out.println("skipped: tests with containers: " + e.getMessage());
      Assumptions.abort(String.valueOf(e.getMessage()));
    }
    return options();
  }
}
