package io.stockproof.verification.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environments;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Both scanners on streams captured from real clients and servers, split everywhere. */
class ScannerTest {
  private static final long FUZZ_MILLIS = Long.getLong("stockproof.fuzzMillis", 1_500);

  @SuppressWarnings("NullAway") // commands are made, and never decided
  private static final Link NO_LINK = null;

  private static Tape.Recording redis;
  private static Tape.Recording mysql;

  /** Where frames end. */
  private interface Scan {
    /** Feeds a piece; adds the offsets after each frame; false if lost. */
    boolean feed(byte[] b, int from, int to, List<Integer> ends);
  }

  @BeforeAll
  static void capture() throws Exception {
    Environment environment = Environments.shared();
    redis = captureRedis(environment);
    mysql = captureMysql(environment);
  }

  private static Tape.Recording captureRedis(Environment environment) throws IOException {
    Environment.RedisServer server = environment.redis();
    try (Tape tape = new Tape(new InetSocketAddress(server.host(), server.port()))) {
      RedisClient client = RedisClient.create("redis://127.0.0.1:" + tape.port());
      var commands = client.connect().sync();
      commands.del("wire:s", "wire:h");
      commands.set("wire:s", "a\r\nb");
      commands.get("wire:s");
      commands.get("wire:none");
      commands.hset("wire:h", "f", "v");
      commands.hgetall("wire:h");
      commands.eval("return {1, {'a', {}}, redis.status_reply('x')}", ScriptOutputType.MULTI);
      commands.multi();
      commands.incr("wire:h");
      commands.exec();
      client.shutdown(Duration.ZERO, Duration.ZERO);
      return tape.recordings().get(0);
    }
  }

  private static Tape.Recording captureMysql(Environment environment)
      throws IOException, SQLException {
    Environment.DatabaseServer server = environment.database();
    try (Tape tape = new Tape(new InetSocketAddress(server.host(), server.port()));
        var direct = environment.endpoints(1);
        Connection connection =
            DriverManager.getConnection(
                server.jdbcUrl("127.0.0.1", tape.port())
                    + "&useServerPrepStmts=true&useCursorFetch=true&allowMultiQueries=true",
                direct.dbUser(),
                direct.dbPassword());
        Statement sql = connection.createStatement()) {
      sql.execute("SELECT 1, NULL, 'x'; SELECT 2; DO 0");
      sql.execute("CREATE TEMPORARY TABLE wire_scan (id INT, v VARCHAR(20))");
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO wire_scan VALUES (?, ?), (?, 'q')")) {
        insert.setInt(1, 1);
        insert.setString(2, "é");
        insert.setInt(3, 3);
        insert.executeUpdate();
      }
      try (PreparedStatement select = connection.prepareStatement("SELECT * FROM wire_scan")) {
        select.setFetchSize(1);
        select.executeQuery().next();
      }
      try {
        sql.execute("SELECT nothing");
      } catch (SQLException expected) {
        assertThat(expected.getErrorCode()).isEqualTo(1054);
      }
      connection.isValid(1);
      return tape.recordings().get(0);
    }
  }

  @Test
  void redisRequestsSplitAnywhere() {
    splitAnywhere(redis.client(), ScannerTest::requests);
  }

  @Test
  void redisRepliesSplitAnywhereAndAreAsManyAsTheRequests() {
    List<Integer> replies = splitAnywhere(redis.server(), ScannerTest::replies);
    List<Integer> requests = splitAnywhere(redis.client(), ScannerTest::requests);
    assertThat(replies).hasSameSizeAs(requests);
  }

  @Test
  void mysqlPacketsSplitAnywhere() {
    splitAnywhere(mysql.client(), ScannerTest::packets);
  }

  @Test
  void mysqlRepliesSplitAnywhereAndAreAsManyAsTheCommands() throws IOException {
    byte[] stream = afterGreeting(mysql.server());
    List<Integer> ends = splitAnywhere(stream, ScannerTest::mysqlReplies);
    MysqlReplies whole = new MysqlReplies();
    assertThat(whole.feed(stream, 0, stream.length, new ArrayList<>())).isTrue();
    assertThat(whole.next).as("replies").isEqualTo(whole.owed.size());
    assertThat(ends).hasSizeGreaterThan(whole.owed.size());
  }

  @Test
  void inlineCommandsAndBlankLines() {
    byte[] stream = "PING\r\n\r\n\n*0\r\nSET a b\n".getBytes(StandardCharsets.US_ASCII);
    assertThat(splitAnywhere(stream, ScannerTest::requests)).containsExactly(6, 8, 9, 13, 21);
  }

  @Test
  void valuesOfAllTypes() {
    String values =
        "+OK| :-5| $-1| *-1| *0| %1|+a|~2|:1|:2| #t| ,1.5| (9| _| =5|txt:a| >2|+m|$0||"
            + " ^1|+k|+v|*1|*1|$1|z| !2|ER|";
    byte[] stream =
        values
            .replace(" ", "")
            .replace("|", "\r\n")
            .replace('^', '|')
            .getBytes(StandardCharsets.US_ASCII);
    assertThat(splitAnywhere(stream, ScannerTest::replies)).hasSize(14);
  }

  /** Nothing escapes, frames end in order, and in the same places however the bytes are cut. */
  @Test
  void noBytesUpsetTheScanners() throws IOException {
    long seed = System.nanoTime();
    System.out.println("ScannerTest.noBytesUpsetTheScanners seed=" + seed);
    Random random = new Random(seed);
    byte[][] streams = {
      redis.client(), redis.server(), mysql.client(), afterGreeting(mysql.server())
    };
    List<Supplier<Scan>> scans =
        List.of(
            ScannerTest::requests,
            ScannerTest::replies,
            ScannerTest::packets,
            ScannerTest::mysqlReplies);
    long end = System.currentTimeMillis() + FUZZ_MILLIS;
    int rounds = 0;
    for (; System.currentTimeMillis() < end; rounds++) {
      int which = rounds % streams.length;
      byte[] mutated = mutate(streams[which], random);
      Outcome whole = scan(scans.get(which).get(), mutated, mutated.length);
      Outcome pieces = scan(scans.get(which).get(), mutated, 1 + random.nextInt(20));
      assertThat(pieces).as("seed %d round %d", seed, rounds).isEqualTo(whole);
      assertThat(whole.ends()).isSorted();
    }
    System.out.println("ScannerTest.noBytesUpsetTheScanners rounds=" + rounds);
    assertThat(rounds).isPositive();
  }

  /** Decoding is not only finding ends: keys, parameters, texts of what was mutated. */
  @Test
  void noBytesUpsetTheDecoders() {
    long seed = System.nanoTime();
    System.out.println("ScannerTest.noBytesUpsetTheDecoders seed=" + seed);
    Random random = new Random(seed);
    long end = System.currentTimeMillis() + FUZZ_MILLIS;
    while (System.currentTimeMillis() < end) {
      decodeAll(mutate(redis.client(), random), new RedisDialect(new Tally()));
      decodeAll(mutate(mysql.client(), random), new MysqlDialect(new Tally()));
    }
  }

  /** A frame may end anywhere, and a login is a frame as well. */
  @Test
  void noFrameIsTooShort() {
    for (int length = 0; length < 12; length++) {
      for (int code = 0; code < 256; code++) {
        byte[] login = packet(0, length, code);
        byte[] later = packet(length % 2, length, code);
        byte[] both = Arrays.copyOf(login, login.length + later.length);
        System.arraycopy(later, 0, both, login.length, later.length);
        decodeAll(both, new MysqlDialect(new Tally()));
      }
    }
  }

  private static byte[] packet(int sequence, int length, int first) {
    byte[] packet = new byte[4 + length];
    packet[0] = (byte) length;
    packet[3] = (byte) sequence;
    if (length > 0) {
      packet[4] = (byte) first;
    }
    return packet;
  }

  /** Redis refuses such a command; what it would have touched is not known. */
  @Test
  void moreKeysThanArgumentsAreNotKnown() {
    for (String count : List.of("2", "2147483647", "2147483646", "-1", "x")) {
      assertThat(RedisKeys.positions(List.of("EVALSHA", "abc", count, "k"))).as(count).isNull();
    }
    assertThat(RedisKeys.positions(List.of("EVALSHA", "abc", "1", "k"))).containsExactly(3);
  }

  private static void decodeAll(byte[] stream, Dialect dialect) {
    int from = 0;
    for (int e; from < stream.length; from = e) {
      e = dialect.clientFrame(stream, from, stream.length);
      if (e < 0) {
        return;
      }
      Frame frame = dialect.decode(Arrays.copyOfRange(stream, from, e), NO_LINK);
      if (frame != null && frame.command != null) {
        assertThat(frame.command.statement()).isNotNull();
        assertThat(frame.command.parameters()).isNotNull();
        assertThat(frame.command.keys()).isNotNull();
      }
    }
  }

  static byte[] mutate(byte[] stream, Random random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int cuts = 1 + random.nextInt(4);
    out.write(stream, 0, stream.length);
    byte[] b = out.toByteArray();
    for (int i = 0; i < cuts; i++) {
      int at = random.nextInt(b.length);
      switch (random.nextInt(4)) {
        case 0 -> b[at] = (byte) random.nextInt(256);
        case 1 -> b[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> b = Arrays.copyOf(b, Math.max(1, at));
        default -> {
          byte[] longer = Arrays.copyOf(b, b.length + 1);
          System.arraycopy(b, at, longer, at + 1, b.length - at);
          longer[at] = "*$\r\n0-".getBytes(StandardCharsets.US_ASCII)[random.nextInt(6)];
          b = longer;
        }
      }
    }
    return b;
  }

  private record Outcome(List<Integer> ends, boolean lost) {}

  private static Outcome scan(Scan scan, byte[] b, int piece) {
    List<Integer> ends = new ArrayList<>();
    for (int from = 0; from < b.length; from += piece) {
      if (!scan.feed(b, from, Math.min(b.length, from + piece), ends)) {
        return new Outcome(ends, true);
      }
    }
    return new Outcome(ends, false);
  }

  private static List<Integer> splitAnywhere(byte[] stream, Supplier<Scan> scans) {
    List<Integer> whole = scan(scans.get(), stream, stream.length).ends();
    assertThat(whole).isNotEmpty();
    assertThat(whole.get(whole.size() - 1)).isEqualTo(stream.length);
    assertThat(scan(scans.get(), stream, 1).ends()).isEqualTo(whole);
    for (int split = 1; split < stream.length; split++) {
      Scan scan = scans.get();
      List<Integer> ends = new ArrayList<>();
      scan.feed(stream, 0, split, ends);
      scan.feed(stream, split, stream.length, ends);
      assertThat(ends).as("split at %d", split).isEqualTo(whole);
    }
    return whole;
  }

  private static Scan requests() {
    RespScanner scanner = new RespScanner(true);
    return (b, from, to, ends) -> drive((f) -> scanner.next(b, f, to), from, to, ends);
  }

  private static Scan replies() {
    RespScanner scanner = new RespScanner(false);
    return (b, from, to, ends) -> drive((f) -> scanner.next(b, f, to), from, to, ends);
  }

  private static Scan packets() {
    PacketScanner scanner = new PacketScanner();
    return (b, from, to, ends) -> drive((f) -> scanner.next(b, f, to), from, to, ends);
  }

  private static Scan mysqlReplies() {
    return new MysqlReplies();
  }

  private static boolean drive(IntUnaryOperator next, int from, int to, List<Integer> ends) {
    int at = from;
    while (at < to) {
      int end = next.applyAsInt(at);
      if (end == Dialect.LOST) {
        return false;
      }
      if (end == Dialect.MORE) {
        return true;
      }
      assertThat(end).isGreaterThan(at).isLessThanOrEqualTo(to);
      ends.add(end);
      at = end;
    }
    return true;
  }

  private static byte[] afterGreeting(byte[] server) throws IOException {
    int greeting = MysqlGreeting.read(new ByteArrayInputStream(server)).length;
    return Arrays.copyOfRange(server, greeting, server.length);
  }

  /** The server's side of the captured conversation, with what the client had asked. */
  private static final class MysqlReplies implements Scan {
    private final MysqlDialect dialect = new MysqlDialect(new Tally());
    private final List<Expected> owed = new ArrayList<>();
    private int next;

    MysqlReplies() {
      try {
        dialect.greet(new ByteArrayInputStream(mysql.server()), new ByteArrayOutputStream());
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      byte[] client = mysql.client();
      int from = 0;
      for (int e; from < client.length; from = e) {
        e = dialect.clientFrame(client, from, client.length);
        Frame frame = dialect.decode(Arrays.copyOfRange(client, from, e), NO_LINK);
        if (frame != null && frame.kind != Frame.NO_REPLY) {
          owed.add(Expected.of(frame, Expected.Fate.PASS));
        }
      }
    }

    @Override
    public boolean feed(byte[] b, int from, int to, List<Integer> ends) {
      return drive(
          at -> {
            int end = dialect.serverUnit(b, at, to, next < owed.size() ? owed.get(next) : null);
            if (end > 0 && !dialect.aside()) {
              dialect.reply();
              next++;
            }
            return end;
          },
          from,
          to,
          ends);
    }
  }
}
