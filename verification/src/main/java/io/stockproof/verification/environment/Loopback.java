package io.stockproof.verification.environment;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** The address embedded servers listen on, and no other. */
final class Loopback {

  static final String HOST = "127.0.0.1";

  private static final byte[] ADDRESS = {127, 0, 0, 1};

  private Loopback() {}

  /** A port that was free a moment ago; a start that fails takes another. */
  static int freePort() {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(ADDRESS), 0));
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new EnvironmentException("no free port on " + HOST, e);
    }
  }
}
