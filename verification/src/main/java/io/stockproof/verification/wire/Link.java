package io.stockproof.verification.wire;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One proxied connection: a client's socket, a server's socket, and a thread for each direction.
 *
 * <p>Locks, always taken in this order: {@link Downward}'s (writing to the client), then {@link
 * Upward}'s (the order of frames, writing to the server), then that of the expected replies, under
 * which nothing blocks. The traffic is called with the first one held at most.
 */
final class Link {

  /** How long a server may take for the last thing asked of it before the connection is cut. */
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final WireProxy proxy;
  private final Socket client;
  private final Socket server;
  private final Dialect dialect;
  private final int number = NUMBERS.incrementAndGet();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicBoolean told = new AtomicBoolean();
  private final Upward upward;
  private final Downward downward;
  private volatile boolean opaque;
  private volatile boolean clientGone;

  Link(WireProxy proxy, Socket client, Socket server, Dialect dialect) throws IOException {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
    this.dialect = dialect;
    this.upward = new Upward(this, client.getInputStream(), server.getOutputStream());
    this.downward = new Downward(this, server.getInputStream(), client.getOutputStream());
  }

  /** Serves the client in this thread and one more until either side ends. */
  void run() {
    Thread pump = proxy.thread("-" + number + "-down", downward);
    proxy.traffic().opened(number);
    pump.start();
    upward.run();
    try {
      pump.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
    }
  }

  int number() {
    return number;
  }

  String instance() {
    return proxy.label();
  }

  Command.Store store() {
    return dialect.store();
  }

  long serverConnectionId() {
    return dialect.serverConnectionId();
  }

  boolean inTransaction() {
    return dialect.inTransaction();
  }

  Dialect dialect() {
    return dialect;
  }

  Audience traffic() {
    return proxy.traffic();
  }

  Tally tally() {
    return proxy.tally();
  }

  Upward upward() {
    return upward;
  }

  Downward downward() {
    return downward;
  }

  boolean decide(Command command, Frame.Decision decision) {
    boolean done = upward.decide(command, decision);
    downward.writeMadeUp();
    return done;
  }

  boolean queuedBehind(Command command) {
    return upward.queuedBehind(command);
  }

  boolean clientGone() {
    return clientGone;
  }

  boolean isClosed() {
    return closed.get();
  }

  boolean isOpaque() {
    return opaque;
  }

  /** Gives up understanding: bytes are passed on from here. */
  void becomeOpaque() {
    opaque = true;
    tally().undecoded.increment();
  }

  /** The client closed, or was closed to. */
  void clientEnded() {
    clientGone = true;
    tellClosed();
  }

  /** Cuts the client off and keeps the server. */
  void dropClient() {
    clientEnded();
    close(client);
  }

  boolean deliver(Delivery delivery) {
    return upward.deliver(delivery);
  }

  /** Ends the server's side of a link whose client is gone, tidily. */
  void leave() {
    upward.bidFarewell();
  }

  /** Tells the server that nothing follows; it closes when it has executed what it has. */
  void endInput() {
    try {
      server.shutdownOutput();
    } catch (IOException e) {
      close();
    }
  }

  /** Closes in a while, whatever the server does. */
  void closeLater() {
    later(FAREWELL, this::close);
  }

  void later(Duration delay, Runnable task) {
    proxy.later(delay, task);
  }

  void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    clientEnded();
    close(server);
    close(client);
    upward.discard();
    downward.discard();
    proxy.forget(this);
  }

  private void tellClosed() {
    if (told.compareAndSet(false, true)) {
      traffic().closed(number);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed as far as it can be.
    }
  }
}
