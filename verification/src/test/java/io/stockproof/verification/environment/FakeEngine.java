package io.stockproof.verification.environment;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A unix socket that answers as an engine would in some state, or not at all. */
final class FakeEngine implements AutoCloseable {

  private final Path socket;
  private final ServerSocketChannel server;
  private final Function<String, @Nullable String> answers;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<SocketChannel> silent = new CopyOnWriteArrayList<>();

  FakeEngine(Path folder, Function<String, @Nullable String> answers) throws IOException {
    this.socket = folder.resolve("engine.sock");
    this.answers = answers;
    this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    Thread thread = new Thread(this::serve, "stockproof-fake-engine");
    thread.setDaemon(true);
    thread.start();
  }

  /** Answers a ping, has no image, and its registry says no. */
  static String withoutImagesOrRegistry(String request) {
    return request.contains("/_ping") ? http(200, "OK") : http(404, "{}");
  }

  /** Answers a ping, has no image, and waits for its registry for ever. */
  static @Nullable String withoutImagesAndRegistryHangs(String request) {
    return request.contains("/distribution/") ? null : withoutImagesOrRegistry(request);
  }

  static String http(int status, String body) {
    return "HTTP/1.0 %d Status\r\nContent-Type: text/plain\r\n\r\n%s".formatted(status, body);
  }

  Path socket() {
    return socket;
  }

  /** The first line of each request so far. */
  List<String> requests() {
    return requests;
  }

  private void serve() {
    try {
      while (true) {
        answer(server.accept());
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void answer(SocketChannel channel) throws IOException {
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), UTF_8));
    String request = String.valueOf(reader.readLine());
    requests.add(request);
    String answer = answers.apply(request);
    if (answer == null) {
      silent.add(channel);
      return;
    }
    ByteBuffer bytes = ByteBuffer.wrap(answer.getBytes(UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    channel.close();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (SocketChannel channel : silent) {
      channel.close();
    }
  }
}
