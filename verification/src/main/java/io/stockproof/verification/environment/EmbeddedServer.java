package io.stockproof.verification.environment;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server of this machine that answered when it was started.
 *
 * @param launch how it is started
 * @param process it, guarded
 * @param port where it listens on the loopback address
 * @param version as it says
 */
record EmbeddedServer(Launch launch, GuardedProcess process, int port, String version)
    implements ServerControl, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServer.class);
  private static final int ATTEMPTS = 3;
  private static final Duration READY_WITHIN = Duration.ofSeconds(30);
  private static final long POLL_MILLIS = 10;

  /** How one product is started. */
  interface Launch {
    /** For logs and messages. */
    String name();

    /** Fills the new folder of the server. */
    void prepare(Path folder) throws IOException;

    /** Program and arguments. */
    List<String> command(Path folder, int port);

    /** The version if the server answers; an exception if it does not, yet. */
    String version(int port) throws IOException, SQLException;

    /** It answers, after a start or another one. */
    default void started(Path folder) throws IOException {}
  }

  /**
   * Starts a server and waits until it answers, on another port if one turns out to be taken.
   *
   * @throws EnvironmentException with the end of the server's log if it does not come up
   */
  static EmbeddedServer start(Launch launch) {
    for (int attempt = 1; ; attempt++) {
      try {
        return attempt(launch);
      } catch (EnvironmentException e) {
        if (attempt == ATTEMPTS || !String.valueOf(e.getMessage()).contains("already in use")) {
          throw e;
        }
        LOG.debug("server={} attempt={} failed", launch.name(), attempt, e);
      }
    }
  }

  private static EmbeddedServer attempt(Launch launch) {
    long started = System.nanoTime();
    Path folder = Folders.temporary(launch.name());
    try {
      launch.prepare(folder);
    } catch (IOException e) {
      throw new EnvironmentException("could not write to " + folder, e);
    }
    int port = Loopback.freePort();
    GuardedProcess process =
        GuardedProcess.start(launch.name(), folder, launch.command(folder, port));
    try {
      String version = awaitVersion(launch, process, port);
      LOG.debug(
          "server={} version={} port={} pid={} readyMillis={}",
          launch.name(),
          version,
          port,
          process.pid(),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started));
      return new EmbeddedServer(launch, process, port, version);
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }

  private static String awaitVersion(Launch launch, GuardedProcess process, int port) {
    long deadline = System.nanoTime() + READY_WITHIN.toNanos();
    while (true) {
      try {
        return launch.version(port);
      } catch (IOException | SQLException e) {
        if (!process.running()) {
          throw new EnvironmentException(
              launch.name() + " ended while starting; its log ends with\n" + process.logTail(), e);
        }
        if (System.nanoTime() > deadline) {
          throw new EnvironmentException(
              "%s did not answer within %d s; its log ends with%n%s"
                  .formatted(launch.name(), READY_WITHIN.toSeconds(), process.logTail()),
              e);
        }
      }
      pause(launch);
    }
  }

  private static void pause(Launch launch) {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EnvironmentException("interrupted while " + launch.name() + " started", e);
    }
  }

  @Override
  public void freeze() {
    process.signal("STOP");
  }

  @Override
  public void thaw() {
    process.signal("CONT");
  }

  @Override
  public void kill() {
    process.kill();
  }

  @Override
  public void start() {
    if (!process.running()) {
      process.restart();
      awaitVersion(launch, process, port);
      try {
        launch.started(process.folder());
      } catch (IOException e) {
        throw new EnvironmentException("could not write to " + process.folder(), e);
      }
    }
  }

  @Override
  public boolean running() {
    return process.running();
  }

  @Override
  public void close() {
    process.close();
  }
}
