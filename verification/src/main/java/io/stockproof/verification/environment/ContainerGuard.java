package io.stockproof.verification.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes containers when this JVM ends, however it ends; see {@code container-guard.sh}. */
final class ContainerGuard implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ContainerGuard.class);

  private final Process process;

  private ContainerGuard(Process process) {
    this.process = process;
  }

  /**
   * Guards the containers with this label ({@code key=value}), those of now and those to come.
   *
   * @throws EnvironmentException if there is no {@code sh}
   */
  static ContainerGuard of(DockerEngine engine, String label) {
    String socket =
        engine.address() instanceof UnixDomainSocketAddress unix
            ? unix.getPath().toString()
            : "/var/run/docker.sock";
    try (InputStream resource = ContainerGuard.class.getResourceAsStream("container-guard.sh")) {
      if (resource == null) {
        throw new EnvironmentException("container-guard.sh is missing from the class path");
      }
      String script = new String(resource.readAllBytes(), UTF_8);
      return new ContainerGuard(
          new ProcessBuilder("sh", "-c", script, "container-guard", socket, label)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start());
    } catch (IOException e) {
      throw new EnvironmentException("could not start the guard of the containers", e);
    }
  }

  /** Has the containers removed, if they are still there. Does not wait. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      LOG.debug("guard=containers closed=false", e);
    }
  }
}
