package io.stockproof.verification.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Whether containers of certain images can be started here, found out within seconds. */
final class DockerProbe {

  /** What an engine that is missing or broken may cost. */
  static final Duration ENGINE_ANSWERS = Duration.ofMillis(1200);

  /** What a registry that is missing or broken may cost, for each image. */
  static final Duration REGISTRY_ANSWERS = Duration.ofSeconds(2);

  /** What a download may take before it is given up, for each image. */
  static final Duration PULLED = Duration.ofSeconds(15);

  private DockerProbe() {}

  /**
   * An engine that answers.
   *
   * @throws IOException saying why there is none
   */
  static DockerEngine answeringEngine(Map<String, String> variables) throws IOException {
    DockerEngine engine = DockerEngine.find(variables);
    DockerEngine.Answer answer;
    try {
      answer = engine.request("GET", "/_ping", ENGINE_ANSWERS);
    } catch (IOException e) {
      throw new IOException("the Docker engine does not answer: " + e.getMessage(), e);
    }
    if (answer.status() != 200) {
      throw new IOException("the Docker engine answers a ping with status " + answer.status());
    }
    return engine;
  }

  /**
   * Sees to it that the engine has the images, by a quick download if need be.
   *
   * @throws IOException naming the first image that is not there
   */
  static void requireImages(DockerEngine engine, List<String> images) throws IOException {
    for (String image : images) {
      if (!present(engine, image)) {
        pull(engine, image);
      }
    }
  }

  static boolean present(DockerEngine engine, String image) throws IOException {
    return engine.request("GET", "/images/" + image + "/json", ENGINE_ANSWERS).status() == 200;
  }

  /** The registry is asked first: to wait for a download that never starts helps nobody. */
  private static void pull(DockerEngine engine, String image) throws IOException {
    String advice = "; 'docker pull " + image + "' makes it available";
    try {
      int status =
          engine.request("GET", "/distribution/" + image + "/json", REGISTRY_ANSWERS).status();
      if (status == 200) {
        String name = URLEncoder.encode(withTag(image), UTF_8);
        engine.request("POST", "/images/create?fromImage=" + name, PULLED);
      }
    } catch (IOException e) {
      throw new IOException(
          "image " + image + " is not here, nor was it loaded in time" + advice, e);
    }
    if (!present(engine, image)) {
      throw new IOException("image " + image + " is not here, nor in a registry" + advice);
    }
  }

  /** Without a tag an engine loads all there are. */
  private static String withTag(String image) {
    return image.indexOf(':', image.lastIndexOf('/') + 1) < 0 ? image + ":latest" : image;
  }
}
