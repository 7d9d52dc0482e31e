package io.stockproof.verification.environment;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** Asks a Redis server for its version, with two inline commands and no client. */
final class RedisProbe {

  private static final String VERSION = "redis_version:";

  private RedisProbe() {}

  /**
   * The server's version.
   *
   * @param timeout longest wait for the connection, and for each part of the answer
   * @throws IOException if it does not answer, or is still loading
   */
  static String version(String host, int port, Duration timeout) throws IOException {
    int millis = (int) timeout.toMillis();
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), millis);
      socket.setSoTimeout(millis);
      socket.getOutputStream().write("INFO server\r\nQUIT\r\n".getBytes(US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      return answer
          .lines()
          .filter(line -> line.startsWith(VERSION))
          .map(line -> line.substring(VERSION.length()).strip())
          .findFirst()
          .orElseThrow(() -> new IOException("not ready: " + answer.strip()));
    }
  }
}
