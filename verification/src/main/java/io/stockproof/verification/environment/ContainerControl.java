package io.stockproof.verification.environment;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.NotFoundException;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.testcontainers.containers.GenericContainer;

/**
 * Power over a server in a container. It is found at its old address after a start, or not at all:
 * the engine gives the address away again only if another container was started meanwhile.
 */
final class ContainerControl implements ServerControl {

  private static final Duration WITHIN = Duration.ofSeconds(60);
  private static final int POLL_MILLIS = 20;

  /** Asks the server something. */
  @FunctionalInterface
  interface Probe {
    void ask() throws IOException, SQLException;
  }

  private final GenericContainer<?> container;
  private final String id;
  private final String name;
  private final Probe probe;
  private final String[] afterStart;

  /**
   * Controls a container that runs.
   *
   * @param name of the server, for messages
   * @param probe fails while the server does not answer
   * @param afterStart command to run in the container once it answers again; may be empty
   */
  ContainerControl(GenericContainer<?> container, String name, Probe probe, String... afterStart) {
    this.container = container;
    // The container forgets it when it is stopped.
    this.id = container.getContainerId();
    this.name = name;
    this.probe = probe;
    this.afterStart = afterStart.clone();
  }

  @Override
  public synchronized void freeze() {
    if (!frozen()) {
      docker().pauseContainerCmd(id).exec();
    }
  }

  @Override
  public synchronized void thaw() {
    if (frozen()) {
      docker().unpauseContainerCmd(id).exec();
    }
  }

  @Override
  public synchronized void kill() {
    if (!running()) {
      return;
    }
    thaw();
    docker().killContainerCmd(id).withSignal("KILL").exec();
    await(() -> !running(), "did not end");
  }

  @Override
  public synchronized void start() {
    if (running()) {
      return;
    }
    docker().startContainerCmd(id).exec();
    await(this::answers, "did not answer");
    if (afterStart.length > 0) {
      try {
        container.execInContainer(afterStart);
      } catch (IOException e) {
        throw new EnvironmentException(name + " was started, but not made ready", e);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }
  }

  /** A paused container is running, as Docker says it. */
  @Override
  public boolean running() {
    try {
      return is(docker().inspectContainerCmd(id).exec().getState().getRunning());
    } catch (NotFoundException removed) {
      return false;
    }
  }

  private boolean answers() {
    try {
      probe.ask();
      return true;
    } catch (IOException | SQLException notYet) {
      if (!running()) {
        throw new EnvironmentException(name + " ended while starting", notYet);
      }
      return false;
    }
  }

  private void await(BooleanSupplier reached, String otherwise) {
    long deadline = System.nanoTime() + WITHIN.toNanos();
    while (!reached.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new EnvironmentException(
            "%s %s within %d s".formatted(name, otherwise, WITHIN.toSeconds()));
      }
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    }
  }

  private EnvironmentException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new EnvironmentException("interrupted while waiting for " + name, e);
  }

  private boolean frozen() {
    if (!running()) {
      throw new EnvironmentException(name + " does not run");
    }
    return is(docker().inspectContainerCmd(id).exec().getState().getPaused());
  }

  private DockerClient docker() {
    return container.getDockerClient();
  }

  private static boolean is(Boolean value) {
    return Boolean.TRUE.equals(value);
  }
}
