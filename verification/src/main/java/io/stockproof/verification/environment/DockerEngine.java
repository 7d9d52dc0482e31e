package io.stockproof.verification.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The few questions that tell whether a Docker engine is worth a try, each with a deadline:
 * Testcontainers itself may wait for minutes on an engine or a registry that does not answer.
 */
record DockerEngine(SocketAddress address) {

  /** A status and a body. */
  record Answer(int status, String body) {}

  /**
   * Where an engine may be: {@code DOCKER_HOST} if set, else the first default socket there is, in
   * the order of Testcontainers.
   *
   * @throws IOException saying why there is none
   */
  static DockerEngine find(Map<String, String> variables) throws IOException {
    String host = variables.getOrDefault("DOCKER_HOST", "");
    if (!host.isBlank()) {
      return at(URI.create(host));
    }
    String home = System.getProperty("user.home", "");
    return Stream.of(
            "/var/run/docker.sock",
            variables.getOrDefault("XDG_RUNTIME_DIR", "/none") + "/docker.sock",
            home + "/.docker/run/docker.sock",
            home + "/.docker/desktop/docker.sock")
        .map(Path::of)
        .filter(Files::exists)
        .findFirst()
        .map(path -> new DockerEngine(UnixDomainSocketAddress.of(path)))
        .orElseThrow(() -> new IOException("no Docker engine: no socket at the usual places"));
  }

  private static DockerEngine at(URI host) throws IOException {
    String scheme = String.valueOf(host.getScheme());
    if (scheme.equals("unix")) {
      Path socket = Path.of(host.getPath());
      if (!Files.exists(socket)) {
        throw new IOException("no Docker engine: DOCKER_HOST names " + socket + ", not there");
      }
      return new DockerEngine(UnixDomainSocketAddress.of(socket));
    }
    if ((scheme.equals("tcp") || scheme.equals("http")) && host.getPort() > 0) {
      return new DockerEngine(new InetSocketAddress(host.getHost(), host.getPort()));
    }
    throw new IOException("DOCKER_HOST is neither unix:// nor tcp://, was " + host);
  }

  /** Whether its containers' ports are on this machine. */
  boolean local() {
    return address instanceof UnixDomainSocketAddress;
  }

  /**
   * One request.
   *
   * @param timeout longest wait for the whole answer
   * @throws IOException if there is no answer in time
   */
  Answer request(String method, String path, Duration timeout) throws IOException {
    try (SocketChannel channel =
        SocketChannel.open(local() ? StandardProtocolFamily.UNIX : StandardProtocolFamily.INET)) {
      FutureTask<Answer> task = new FutureTask<>(() -> exchange(channel, method, path));
      Thread thread = new Thread(task, "stockproof-docker-probe");
      thread.setDaemon(true);
      thread.start();
      return task.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "no answer to %s %s within %d ms".formatted(method, path, timeout.toMillis()), e);
    } catch (ExecutionException e) {
      throw new IOException("%s %s: %s".formatted(method, path, e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** HTTP 1.0, so that the body simply ends with the connection. */
  private Answer exchange(SocketChannel channel, String method, String path) throws IOException {
    channel.connect(address);
    String request = "%s %s HTTP/1.0\r\nHost: docker\r\nContent-Length: 0\r\n\r\n";
    ByteBuffer bytes = ByteBuffer.wrap(request.formatted(method, path).getBytes(UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    Channels.newInputStream(channel).transferTo(answer);
    String text = answer.toString(UTF_8);
    int head = text.indexOf("\r\n\r\n");
    String[] status = text.split(" ", 3);
    if (head < 0 || status.length < 3 || !status[1].matches("[0-9]{3}")) {
      throw new IOException("not an HTTP answer");
    }
    return new Answer(Integer.parseInt(status[1]), text.substring(head + 4));
  }
}
