package io.stockproof.verification.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A relay that understands nothing and records both directions of each connection. */
final class Tape implements AutoCloseable {

  /** What was said on one connection. */
  static final class Recording {
    private final ByteArrayOutputStream client = new ByteArrayOutputStream();
    private final ByteArrayOutputStream server = new ByteArrayOutputStream();

    byte[] client() {
      return client.toByteArray();
    }

    byte[] server() {
      return server.toByteArray();
    }
  }

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<Recording> recordings = new CopyOnWriteArrayList<>();

  Tape(InetSocketAddress upstream) throws IOException {
    start(
        () -> {
          while (true) {
            Socket client = listener.accept();
            Socket server = new Socket(upstream.getAddress(), upstream.getPort());
            Recording recording = new Recording();
            recordings.add(recording);
            start(() -> copy(client, server, recording.client));
            start(() -> copy(server, client, recording.server));
          }
        });
  }

  int port() {
    return listener.getLocalPort();
  }

  List<Recording> recordings() {
    return recordings;
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void start(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                // The end of a connection.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static void copy(Socket from, Socket to, OutputStream record) throws IOException {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      byte[] buffer = new byte[8192];
      for (int n; (n = in.read(buffer)) >= 0; ) {
        record.write(buffer, 0, n);
        to.getOutputStream().write(buffer, 0, n);
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
