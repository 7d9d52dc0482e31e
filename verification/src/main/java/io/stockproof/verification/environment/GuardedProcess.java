package io.stockproof.verification.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A server process that cannot outlive this JVM, not even when the JVM is killed: a small shell
 * script, {@code guard.sh}, reads from this JVM and kills the server at the end of its input. It
 * also removes the server's folder.
 */
final class GuardedProcess implements AutoCloseable {

  private static final int CLOSE_SECONDS = 10;
  private static final long KILL_POLL_NANOS = 5_000_000;
  private static final int LOG_LINES = 20;

  private final String name;
  private final Path folder;
  private final Process guard;
  private volatile long pid;
  private volatile boolean running;

  private GuardedProcess(String name, Path folder, Process guard) {
    this.name = name;
    this.folder = folder;
    this.guard = guard;
  }

  /**
   * Starts a server.
   *
   * @param name for logs and messages
   * @param folder the server's own folder, removed at the end; has the log {@code server.log}
   * @param command program and arguments
   * @throws EnvironmentException if there is no {@code sh}
   */
  static GuardedProcess start(String name, Path folder, List<String> command) {
    try {
      Path script = folder.resolve("guard.sh");
      try (InputStream resource = GuardedProcess.class.getResourceAsStream("guard.sh")) {
        if (resource == null) {
          throw new EnvironmentException("guard.sh is missing from the class path");
        }
        Files.copy(resource, script);
      }
      List<String> line = new ArrayList<>(List.of("sh", script.toString(), folder.toString()));
      line.addAll(command);
      Process guard =
          new ProcessBuilder(line)
              .directory(folder.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      GuardedProcess process = new GuardedProcess(name, folder, guard);
      Thread reader = new Thread(process::follow, "stockproof-guard-" + name);
      reader.setDaemon(true);
      reader.start();
      process.restart();
      return process;
    } catch (IOException e) {
      throw new EnvironmentException("could not start " + name, e);
    }
  }

  /** Starts the server once more, with the same data, after it ended. */
  void restart() {
    try {
      pid = 0;
      running = true;
      OutputStream orders = guard.getOutputStream();
      orders.write('\n');
      orders.flush();
    } catch (IOException e) {
      throw new EnvironmentException("the guard of " + name + " is gone", e);
    }
  }

  private void follow() {
    try (BufferedReader events = guard.inputReader(UTF_8)) {
      String event;
      while ((event = events.readLine()) != null) {
        if (event.startsWith("pid ")) {
          pid = Long.parseLong(event.substring("pid ".length()));
        } else {
          running = false;
        }
      }
    } catch (IOException e) {
      // The guard ended.
    }
    running = false;
  }

  /** Process id of the server itself; 0 before it is known. */
  long pid() {
    return pid;
  }

  /**
   * Kills the server alone, without a shutdown of its own, and waits for its end; its folder stays.
   *
   * @throws EnvironmentException if it does not end
   */
  void kill() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
    while (running) {
      long known = pid;
      if (known != 0) {
        ProcessHandle.of(known).ifPresent(ProcessHandle::destroyForcibly);
      }
      if (System.nanoTime() > deadline) {
        throw new EnvironmentException(name + " did not end when it was killed");
      }
      LockSupport.parkNanos(KILL_POLL_NANOS);
    }
  }

  /**
   * Sends the server a signal.
   *
   * @param signal its name without SIG
   * @throws EnvironmentException if that cannot be done
   */
  void signal(String signal) {
    try {
      // The shell's own kill: not every machine has another.
      Process sent =
          new ProcessBuilder("sh", "-c", "kill -" + signal + " " + pid)
              .redirectErrorStream(true)
              .start();
      if (!sent.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS) || sent.exitValue() != 0) {
        throw new EnvironmentException("could not send SIG" + signal + " to " + name);
      }
    } catch (IOException e) {
      throw new EnvironmentException("could not send SIG" + signal + " to " + name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EnvironmentException("interrupted while signalling " + name, e);
    }
  }

  /** Its own folder. */
  Path folder() {
    return folder;
  }

  /** Whether the server was told to start and has not ended since. */
  boolean running() {
    return running;
  }

  /** The last lines of what the server wrote. */
  String logTail() {
    Path log = folder.resolve("server.log");
    try (Stream<String> lines = Files.lines(log, UTF_8)) {
      List<String> all = lines.toList();
      return String.join("\n", all.subList(Math.max(0, all.size() - LOG_LINES), all.size()));
    } catch (IOException | UncheckedIOException e) {
      return "(no log: " + e.getMessage() + ")";
    }
  }

  /** Kills the server, without a shutdown of its own, and removes its folder. */
  @Override
  public void close() {
    try {
      guard.getOutputStream().close();
      if (!guard.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        guard.destroyForcibly();
      }
    } catch (IOException e) {
      guard.destroyForcibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
