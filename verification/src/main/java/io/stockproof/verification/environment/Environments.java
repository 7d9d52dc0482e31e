package io.stockproof.verification.environment;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens environments. Methods may be called from any thread. */
public final class Environments {

  private static final Logger LOG = LoggerFactory.getLogger(Environments.class);

  private static @Nullable Environment shared;

  private Environments() {}

  /**
   * Starts servers; they are gone when the environment is closed, and at the latest with this JVM.
   * Servers that run already are connected to instead, and go on running.
   *
   * @throws IllegalArgumentException if the options contradict one another, or an address of a
   *     server that runs already is missing or none
   * @throws EnvironmentException if the servers cannot be started or used, naming what to do
   *     instead
   */
  public static Environment open(EnvironmentOptions options) {
    RunningEnvironment environment =
        switch (options.choice()) {
          case AUTO -> AutoChoice.open(options, System.getenv());
          case EMBEDDED ->
              new RunningEnvironment(EmbeddedServers.start(options), "asked for", options);
          case CONTAINERS ->
              new RunningEnvironment(
                  ContainerServers.start(engine(), options), "asked for", options);
          case EXTERNAL -> ExternalServers.connect(options);
        };
    LOG.info("environment={} {}", environment.kind(), environment.describe());
    return environment;
  }

  private static DockerEngine engine() {
    try {
      return DockerProbe.answeringEngine(System.getenv());
    } catch (IOException e) {
      throw new EnvironmentException(
          "%s; start one, or use -D%s=embedded"
              .formatted(e.getMessage(), EnvironmentOptions.CHOICE.property()),
          e);
    }
  }

  /**
   * The environment of this JVM, from {@link EnvironmentOptions#fromSettings()}: opened at the
   * first call, closed when the JVM ends. Its {@code close()} does nothing.
   *
   * @throws IllegalArgumentException as {@link EnvironmentOptions#fromSettings()}
   * @throws EnvironmentException as {@link #open}; the next call tries again
   */
  public static synchronized Environment shared() {
    @Nullable Environment existing = shared;
    if (existing != null) {
      return existing;
    }
    Environment opened = open(EnvironmentOptions.fromSettings());
    Runtime.getRuntime().addShutdownHook(new Thread(opened::close, "stockproof-environment-close"));
    Environment result = new SharedEnvironment(opened);
    shared = result;
    return result;
  }
}
