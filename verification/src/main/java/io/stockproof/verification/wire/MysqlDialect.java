package io.stockproof.verification.wire;

import static io.stockproof.verification.wire.MysqlPackets.HEADER;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The MySQL client/server protocol, as MySQL 8 and 9 and MariaDB 10 and 11 speak it. */
final class MysqlDialect implements Dialect, SqlReplyScanner.Listener {

  /** MariaDB: the statement that the command just before this one prepares. */
  private static final long LAST_PREPARED = 0xffffffffL;

  private static final int ACCESS_DENIED = 1045;

  private final Tally tally;
  private final PacketScanner requests = new PacketScanner();
  private final SqlReplyScanner replies = new SqlReplyScanner(this);
  private final Map<Long, Prepared> statements = new ConcurrentHashMap<>();

  /** Whose PREPARE was sent and not yet answered; guarded by itself. */
  private final ArrayDeque<Prepared> preparing = new ArrayDeque<>();

  /** The last one that the client prepared. Client thread. */
  private @Nullable Prepared lastPrepared;

  private volatile long serverConnection = -1;
  private volatile int offered;
  private volatile int status = MysqlPackets.STATUS_AUTOCOMMIT;
  private volatile boolean loggedIn;
  private volatile boolean fileAsked;

  /** Whether the client's first packet has passed. Client thread. */
  private boolean introduced;

  private boolean wantsTls;

  MysqlDialect(Tally tally) {
    this.tally = tally;
  }

  @Override
  public Command.Store store() {
    return Command.Store.DATABASE;
  }

  @Override
  public long serverConnectionId() {
    return serverConnection;
  }

  @Override
  public boolean inTransaction() {
    int flags = status;
    return (flags & MysqlPackets.STATUS_IN_TRANS) != 0
        || (flags & MysqlPackets.STATUS_AUTOCOMMIT) == 0;
  }

  /** Takes out of the greeting what the proxy does not speak. */
  @Override
  public void greet(InputStream server, OutputStream client) throws IOException {
    byte[] packet = MysqlGreeting.read(server);
    MysqlGreeting greeting = MysqlGreeting.restrict(packet);
    if (greeting != null) {
      serverConnection = greeting.connectionId();
      offered = greeting.capabilities();
    }
    client.write(packet);
    if (greeting == null) {
      throw new EOFException("refused by the server");
    }
  }

  @Override
  public int clientFrame(byte[] b, int from, int to) {
    return requests.next(b, from, to);
  }

  @Override
  public @Nullable Frame decode(byte[] frame, Link link) {
    if (!introduced) {
      introduced = true;
      int wanted = new Slice(frame, HEADER, frame.length).i32();
      wantsTls = (wanted & MysqlPackets.CLIENT_SSL) != 0;
      replies.capabilities(wanted & offered);
      // Some clients ask for what was not offered; the server would then expect it of them.
      int granted = wanted & ~MysqlPackets.NOT_GRANTED;
      for (int i = 0; i < 4 && HEADER + i < frame.length; i++) {
        frame[HEADER + i] = (byte) (granted >> (8 * i));
      }
      return Frame.raw(frame);
    }
    if (fileAsked) {
      fileAsked = frame.length > HEADER;
      return Frame.raw(frame);
    }
    if (frame[3] != 0 || frame.length == HEADER) {
      return Frame.raw(frame);
    }
    return command(frame, link);
  }

  private @Nullable Frame command(byte[] frame, Link link) {
    int code = frame[HEADER] & 0xff;
    return switch (code) {
      case MysqlPackets.COM_BINLOG_DUMP,
          MysqlPackets.COM_BINLOG_DUMP_GTID,
          MysqlPackets.COM_TABLE_DUMP,
          MysqlPackets.COM_REGISTER_SLAVE ->
          null;
      case MysqlPackets.COM_QUERY -> statement(frame, text(frame), link);
      case MysqlPackets.COM_STMT_EXECUTE, MysqlPackets.COM_STMT_BULK_EXECUTE ->
          execution(frame, code, link);
      case MysqlPackets.COM_STMT_PREPARE -> preparation(frame, link);
      case MysqlPackets.COM_STMT_CLOSE -> {
        statements.remove(statementId(frame));
        yield service("STMT_CLOSE", frame, Frame.NO_REPLY, link);
      }
      case MysqlPackets.COM_STMT_SEND_LONG_DATA -> {
        Prepared prepared = prepared(frame);
        if (prepared != null && frame.length >= HEADER + 7) {
          prepared.sentAhead.set(new Slice(frame, HEADER + 5, frame.length).u16());
        }
        yield service("STMT_SEND_LONG_DATA", frame, Frame.NO_REPLY, link);
      }
      case MysqlPackets.COM_RESET_CONNECTION, MysqlPackets.COM_CHANGE_USER -> {
        statements.clear();
        yield service(MysqlPackets.name(code), frame, code, link);
      }
      case MysqlPackets.COM_QUIT -> service("QUIT", frame, Frame.NO_REPLY, link);
      default -> service(MysqlPackets.name(code), frame, code, link);
    };
  }

  private static String text(byte[] frame) {
    return new String(frame, HEADER + 1, frame.length - HEADER - 1, StandardCharsets.UTF_8);
  }

  private Frame service(String name, byte[] frame, int kind, Link link) {
    return Frame.of(frame, kind, new Command(link, SqlRequest.service(name)));
  }

  private Frame statement(byte[] frame, String sql, Link link) {
    SqlRequest request =
        SqlRequest.statement(SqlText.read(sql), sql, List.of(), inOpenTransaction());
    return Frame.of(frame, MysqlPackets.COM_QUERY, new Command(link, request));
  }

  private Frame preparation(byte[] frame, Link link) {
    Prepared prepared = new Prepared(text(frame));
    lastPrepared = prepared;
    synchronized (preparing) {
      preparing.add(prepared);
    }
    SqlRequest request = new SqlRequest("PREPARE", prepared.text, List.of(), true);
    return Frame.of(frame, MysqlPackets.COM_STMT_PREPARE, new Command(link, request));
  }

  private Frame execution(byte[] frame, int code, Link link) {
    Prepared prepared = prepared(frame);
    if (prepared == null) {
      tally.undecoded.increment();
      SqlRequest unknown = new SqlRequest("EXECUTE", "EXECUTE", List.of(), false);
      return Frame.of(frame, code, new Command(link, unknown));
    }
    List<String> parameters =
        code == MysqlPackets.COM_STMT_EXECUTE ? SqlRequest.parameters(frame, prepared) : List.of();
    prepared.sentAhead.clear();
    SqlRequest request =
        SqlRequest.statement(prepared.reading, prepared.text, parameters, inOpenTransaction());
    return Frame.of(frame, code, new Command(link, request));
  }

  private @Nullable Prepared prepared(byte[] frame) {
    long id = statementId(frame);
    return id == LAST_PREPARED ? lastPrepared : statements.get(id);
  }

  private static long statementId(byte[] frame) {
    return new Slice(frame, HEADER + 1, frame.length).number(4);
  }

  private boolean inOpenTransaction() {
    return (status & MysqlPackets.STATUS_IN_TRANS) != 0;
  }

  /** The greeting offered no TLS; a client that begins it all the same is told why it fails. */
  @Override
  public byte @Nullable [] refusal(Frame frame) {
    if (!wantsTls) {
      return null;
    }
    return MysqlPackets.error(
        frame.bytes[3] + 1,
        WireError.sql(
            ACCESS_DENIED,
            "28000",
            "Stockproof reads this connection and cannot do so through TLS: switch TLS off for the"
                + " run (sslMode=DISABLED, ssl=false)"));
  }

  @Override
  public void sent(Frame frame) {}

  @Override
  public List<Own> amends(Frame frame, WireError error) {
    if (!error.endsTransaction() || !inTransaction()) {
      return List.of();
    }
    return List.of(
        new Own(MysqlPackets.command(MysqlPackets.COM_QUERY, "ROLLBACK"), MysqlPackets.COM_QUERY));
  }

  @Override
  public byte[] error(Frame frame, WireError error) {
    int packets = 1 + (frame.bytes.length - HEADER) / (MysqlPackets.LONGEST + HEADER);
    return MysqlPackets.error(packets, error);
  }

  @Override
  public @Nullable Own farewell() {
    if (!loggedIn) {
      return null;
    }
    return new Own(
        MysqlPackets.command(MysqlPackets.COM_RESET_CONNECTION, ""),
        MysqlPackets.COM_RESET_CONNECTION);
  }

  @Override
  public int serverUnit(byte[] b, int from, int to, @Nullable Expected next) {
    if (replies.between()) {
      if (loggedIn && next != null && next.fate() != Expected.Fate.MADE_UP) {
        replies.beginReply(next.kind());
      } else {
        replies.beginAside();
      }
    }
    return replies.next(b, from, to);
  }

  @Override
  public boolean aside() {
    return replies.aside();
  }

  @Override
  public Reply reply() {
    return replies.reply();
  }

  @Override
  public void status(int flags) {
    status = flags;
  }

  @Override
  public void fileAsked() {
    fileAsked = true;
  }

  @Override
  public void prepared(long id, int parameters) {
    Prepared prepared;
    synchronized (preparing) {
      prepared = preparing.poll();
    }
    if (prepared != null && id >= 0) {
      prepared.parameters = parameters;
      statements.put(id, prepared);
    }
  }

  @Override
  public void aside(int first) {
    if (!loggedIn && first == MysqlPackets.OK) {
      loggedIn = true;
    } else if (loggedIn && first != MysqlPackets.ERR) {
      // An error that answers nothing is the server's farewell: timed out, shut down, killed.
      tally.unmatched.increment();
    }
  }
}
