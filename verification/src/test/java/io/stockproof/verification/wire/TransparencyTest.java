package io.stockproof.verification.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Bytes out are bytes in, in both directions, whatever the bytes. */
class TransparencyTest {
  private static final long MILLIS = 1_500;

  private static final byte[] REQUESTS =
      lines("*3|$3|SET|$1|a|$5|hello|*2|$3|GET|$1|a|PING|*1|$5|MULTI|*2|$4|INCR|$1|n|*1|$4|EXEC|");

  private static final byte[] REPLIES = lines("+OK|$5|hello|+PONG|+OK|+QUEUED|*1|:1|>2|+a|+b|");

  @Test
  void redisBytesArriveAsTheyWere() throws Exception {
    fuzz(Command.Store.REDIS, new byte[0], REQUESTS, REPLIES);
  }

  @Test
  void mysqlBytesArriveAsTheyWere() throws Exception {
    byte[] commands =
        concat(
            MysqlPackets.command(MysqlPackets.COM_QUERY, "SELECT a FROM b"),
            MysqlPackets.command(MysqlPackets.COM_STMT_PREPARE, "INSERT INTO t VALUES (?)"),
            MysqlPackets.command(MysqlPackets.COM_QUERY, "COMMIT"));
    byte[] introduction = {4, 0, 0, 1, 0, 2, 0, 0};
    byte[] replies = {
      7, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, // login
      7, 0, 0, 1, 0, 1, 0, 3, 0, 0, 0, // ok
      12, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // prepared
      7, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0 // ok
    };
    fuzz(Command.Store.DATABASE, introduction, commands, replies);
  }

  private static void fuzz(Command.Store store, byte[] fixed, byte[] upward, byte[] downward)
      throws Exception {
    long seed = System.nanoTime();
    System.out.println("TransparencyTest store=" + store + " seed=" + seed);
    Random random = new Random(seed);
    byte[] greeting = store == Command.Store.REDIS ? new byte[0] : greeting();
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
      Scribe scribe = new Scribe();
      try (WireProxy proxy =
          store == Command.Store.REDIS
              ? WireProxy.redis("fuzz", () -> address, scribe)
              : WireProxy.mysql("fuzz", () -> address, scribe)) {
        long end = System.currentTimeMillis() + MILLIS;
        for (int round = 0; System.currentTimeMillis() < end; round++) {
          byte[] up = concat(fixed, ScannerTest.mutate(upward, random));
          byte[] down = concat(greeting, ScannerTest.mutate(downward, random));
          String of = "seed " + seed + " round " + round;
          converse(server, proxy, random, up, down, of);
        }
        assertThat(proxy.counters().failures()).isZero();
      }
    }
  }

  private static void converse(
      ServerSocket listener, WireProxy proxy, Random random, byte[] up, byte[] down, String of)
      throws Exception {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        Socket server = listener.accept()) {
      int piece = 1 + random.nextInt(30);
      CompletableFuture<byte[]> atServer = read(server);
      CompletableFuture<byte[]> atClient = read(client);
      writeInPieces(client, up, piece);
      assertThat(atServer.get(10, TimeUnit.SECONDS)).as(of + " upward").isEqualTo(up);
      writeInPieces(server, down, piece);
      assertThat(atClient.get(10, TimeUnit.SECONDS)).as(of + " downward").isEqualTo(down);
    }
  }

  private static CompletableFuture<byte[]> read(Socket socket) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return socket.getInputStream().readAllBytes();
          } catch (IOException e) {
            return new byte[0];
          }
        });
  }

  private static void writeInPieces(Socket socket, byte[] bytes, int piece) throws IOException {
    socket.setTcpNoDelay(true);
    OutputStream out = socket.getOutputStream();
    for (int from = 0; from < bytes.length; from += piece) {
      out.write(bytes, from, Math.min(piece, bytes.length - from));
    }
    socket.shutdownOutput();
  }

  private static byte[] greeting() {
    byte[] greeting = new byte[60];
    greeting[0] = 56;
    greeting[4] = 10;
    greeting[5] = '8';
    return greeting;
  }

  private static byte[] lines(String text) {
    return text.replace("|", "\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] concat(byte[]... parts) {
    byte[] all = new byte[Arrays.stream(parts).mapToInt(p -> p.length).sum()];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }
}
