package io.stockproof.verification.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener on the loopback interface in front of one server. It outlives the server: the address
 * is asked for anew with each connection. Methods may be called from any thread.
 */
public final class WireProxy implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(WireProxy.class);

  private static final int CONNECT_MILLIS = 5_000;
  private static final int MOST_CONNECTIONS = 4_096;

  private final String label;
  private final Command.Store store;
  private final Supplier<InetSocketAddress> upstream;
  private final Tally tally = new Tally();
  private final Audience traffic;
  private final ServerSocket listener;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final Set<Socket> greeting = ConcurrentHashMap.newKeySet();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor deadlines;
  private volatile @Nullable WireError refusal;
  private volatile boolean closed;

  private WireProxy(
      String label, Command.Store store, Supplier<InetSocketAddress> upstream, Traffic traffic) {
    this.label = label;
    this.store = store;
    this.upstream = upstream;
    this.traffic = new Audience(traffic, label, store, tally);
    this.deadlines =
        new ScheduledThreadPoolExecutor(1, task -> named("-" + store + "-deadlines", task));
    this.deadlines.setRemoveOnCancelPolicy(true);
    try {
      this.listener = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("no port to listen on for " + label, e);
    }
  }

  /**
   * Listens for clients of Redis.
   *
   * @param label name of the application instance that gets this port
   * @param upstream where the server is now; asked with each connection
   * @param traffic who decides
   * @throws UncheckedIOException if there is no port to listen on
   */
  public static WireProxy redis(
      String label, Supplier<InetSocketAddress> upstream, Traffic traffic) {
    return new WireProxy(label, Command.Store.REDIS, upstream, traffic).started();
  }

  /** Listens for clients of MySQL or MariaDB; otherwise as {@link #redis}. */
  public static WireProxy mysql(
      String label, Supplier<InetSocketAddress> upstream, Traffic traffic) {
    return new WireProxy(label, Command.Store.DATABASE, upstream, traffic).started();
  }

  private WireProxy started() {
    thread("-" + store + "-accept", this::accept).start();
    return this;
  }

  /** Port it listens on. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress().getHostAddress(), port());
  }

  /** Name of the application instance. */
  public String label() {
    return label;
  }

  /** What passed so far. */
  public WireCounters counters() {
    return tally.read();
  }

  /**
   * Meets each new connection with an error, as a server with no connection left does; {@code null}
   * ends that.
   *
   * @throws IllegalArgumentException if the error is one of the other store
   */
  public void refuse(@Nullable WireError error) {
    if (error != null && error.store() != store) {
      throw new IllegalArgumentException("error of " + error.store() + " for a " + store);
    }
    refusal = error;
  }

  /** The database's own numbers of the connections that lead there now. */
  public Set<Long> serverConnections() {
    return links.stream()
        .map(Link::serverConnectionId)
        .filter(number -> number > 0)
        .collect(Collectors.toSet());
  }

  /** Closes every connection now, as a reset network does; new ones are accepted. */
  public void cutAll() {
    links.forEach(Link::close);
  }

  private void accept() {
    while (!closed) {
      try {
        Socket client = listener.accept();
        if (links.size() >= MOST_CONNECTIONS) {
          client.close();
          continue;
        }
        thread("-" + store + "-up", () -> serve(client)).start();
      } catch (IOException e) {
        if (!closed) {
          log.warn("event=accept-failed proxy={}", label, e);
        }
      }
    }
  }

  private void serve(Socket client) {
    greeting.add(client);
    Socket server = new Socket();
    try (client;
        server) {
      WireError error = refusal;
      if (error != null) {
        client.getOutputStream().write(greetingError(error));
        client.shutdownOutput();
        return;
      }
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      connect(client, server);
      Link link = new Link(this, client, server, dialect());
      Thread.currentThread().setName(prefix() + "-" + store + "-" + link.number() + "-up");
      tally.connections.increment();
      links.add(link);
      greeting.remove(client);
      if (closed) {
        link.close();
      }
      link.run();
    } catch (IOException e) {
      log.debug("event=connection-failed proxy={} cause={}", label, e.toString());
    } finally {
      greeting.remove(client);
    }
  }

  /** A server that is away looks to the client like one that resets the connection. */
  private void connect(Socket client, Socket server) throws IOException {
    try {
      server.connect(upstream.get(), CONNECT_MILLIS);
    } catch (IOException e) {
      client.setOption(StandardSocketOptions.SO_LINGER, 0);
      throw e;
    }
  }

  private Dialect dialect() {
    return store == Command.Store.REDIS ? new RedisDialect(tally) : new MysqlDialect(tally);
  }

  private static byte[] greetingError(WireError error) {
    return error.store() == Command.Store.REDIS
        ? RedisDialect.errorLine(error.text())
        : MysqlPackets.greetingError(error);
  }

  Audience traffic() {
    return traffic;
  }

  Tally tally() {
    return tally;
  }

  void forget(Link link) {
    links.remove(link);
  }

  void later(Duration delay, Runnable task) {
    if (!closed) {
      var unused = deadlines.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  Thread thread(String suffix, Runnable task) {
    Thread thread =
        named(
            suffix,
            () -> {
              threads.add(Thread.currentThread());
              try {
                task.run();
              } finally {
                threads.remove(Thread.currentThread());
              }
            });
    return thread;
  }

  private Thread named(String suffix, Runnable task) {
    Thread thread = new Thread(task, prefix() + suffix);
    thread.setDaemon(true);
    return thread;
  }

  private String prefix() {
    return "stockproof-wire-" + label;
  }

  /** Stops listening, closes every connection and ends the threads. */
  @Override
  public void close() {
    closed = true;
    quietly(listener);
    links.forEach(Link::close);
    greeting.forEach(WireProxy::quietly);
    deadlines.shutdownNow();
    for (Thread thread : threads) {
      try {
        if (thread != Thread.currentThread()) {
          thread.join(1_000);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private static void quietly(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      // It is closed as far as it can be.
    }
  }
}
