package io.stockproof.verification.environment;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * A real Redis of one test, to be killed, frozen and started again. Like the shared one it keeps
 * nothing on disk unless it is told to {@code SAVE}.
 */
public final class OwnRedis implements AutoCloseable {

  private static final Duration PROBE = Duration.ofSeconds(1);

  private final EmbeddedServer server;

  private OwnRedis(EmbeddedServer server) {
    this.server = server;
  }

  /** Starts one with these arguments beside the usual ones. */
  public static OwnRedis start(String... arguments) {
    EmbeddedRedis usual = EmbeddedRedis.prepare(BinaryCache.ofThisUser(), Platform.current());
    return new OwnRedis(EmbeddedServer.start(new Launch(usual, List.of(arguments))));
  }

  private record Launch(EmbeddedRedis usual, List<String> arguments)
      implements EmbeddedServer.Launch {

    @Override
    public String name() {
      return usual.name();
    }

    @Override
    public void prepare(Path folder) {
      usual.prepare(folder);
    }

    @Override
    public List<String> command(Path folder, int port) {
      List<String> command = new ArrayList<>(usual.command(folder, port));
      command.addAll(arguments);
      return command;
    }

    @Override
    public String version(int port) throws IOException {
      return usual.version(port);
    }
  }

  public int port() {
    return server.port();
  }

  /** Ends it as a crash does. */
  public void kill() {
    ProcessHandle.of(server.process().pid()).ifPresent(ProcessHandle::destroyForcibly);
    Awaitility.await().until(() -> !server.process().running());
  }

  /** Starts it once more, on the same port, without waiting for it. */
  public void startAgain() {
    server.process().restart();
  }

  /** Waits until it answers. */
  public void awaitAnswers() {
    Awaitility.await()
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> !RedisProbe.version(Loopback.HOST, port(), PROBE).isEmpty());
  }

  /** Neither answers nor closes a connection from here on. */
  public void freeze() {
    signal("STOP");
  }

  /** Goes on where it was frozen, with all that was sent meanwhile. */
  public void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + name, Long.toString(server.process().pid())).start();
      if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
        throw new AssertionError("kill -" + name + " failed");
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
