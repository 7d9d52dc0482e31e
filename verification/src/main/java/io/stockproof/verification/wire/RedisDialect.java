package io.stockproof.verification.wire;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * RESP2 and RESP3, as clients of Redis speak them.
 *
 * <p>Replies to the SUBSCRIBE family are told from others by their first element, because their
 * number is not that of the commands; in RESP3 they are pushes.
 */
final class RedisDialect implements Dialect {

  /** No command of any version; answered by an error, which dooms an open MULTI. */
  private static final byte[] NO_SUCH_COMMAND = request("STOCKPROOF.REFUSED");

  private static final byte[] DISCARD = request("DISCARD");

  private static final Set<String> NO_OWN_REPLY =
      Set.of(
          "SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE");

  private static final Set<String> LEAVES_PROTOCOL = Set.of("MONITOR", "SYNC", "PSYNC");

  private final Tally tally;
  private final RespScanner requests = new RespScanner(true);
  private final RespScanner replies = new RespScanner(false);
  private final RespHead head = new RespHead();

  /** As the client has written it. */
  private volatile boolean multiWritten;

  /** Keys named since MULTI. Client thread. */
  private final Set<String> keysOfMulti = new LinkedHashSet<>();

  /** As the server knows it. */
  private volatile boolean multi;

  private volatile boolean subscriber;

  RedisDialect(Tally tally) {
    this.tally = tally;
  }

  @Override
  public Command.Store store() {
    return Command.Store.REDIS;
  }

  @Override
  public long serverConnectionId() {
    return -1;
  }

  @Override
  public boolean inTransaction() {
    return multi;
  }

  @Override
  public void greet(InputStream server, OutputStream client) {}

  @Override
  public int clientFrame(byte[] b, int from, int to) {
    return requests.next(b, from, to);
  }

  @Override
  public @Nullable Frame decode(byte[] bytes, Link link) {
    RedisRequest request = RedisRequest.decode(bytes, multiWritten, keysOfMulti);
    if (request == null || LEAVES_PROTOCOL.contains(request.name()) || mutesReplies(request)) {
      return null;
    }
    if (request.name().isEmpty()) {
      return Frame.raw(bytes);
    }
    switch (request.name()) {
      case "MULTI" -> {
        multiWritten = true;
        keysOfMulti.clear();
      }
      case "EXEC", "DISCARD", "RESET" -> multiWritten = false;
      default -> {}
    }
    if (!request.keysKnown()) {
      tally.undecoded.increment();
    }
    boolean noReply = NO_OWN_REPLY.contains(request.name());
    subscriber |= noReply;
    return Frame.of(bytes, noReply ? Frame.NO_REPLY : Frame.RESP_REPLY, new Command(link, request));
  }

  /** CLIENT REPLY OFF and SKIP: what comes back can no longer be matched. */
  private static boolean mutesReplies(RedisRequest request) {
    return request.name().equals("CLIENT") && request.subcommand().equals("REPLY");
  }

  @Override
  public byte @Nullable [] refusal(Frame frame) {
    return null;
  }

  @Override
  public void sent(Frame frame) {
    if (frame.command != null) {
      switch (frame.command.name()) {
        case "MULTI" -> multi = true;
        case "EXEC", "DISCARD", "RESET" -> multi = false;
        default -> {}
      }
    }
  }

  @Override
  public List<Own> amends(Frame frame, WireError error) {
    if (!multi) {
      multiWritten = false;
      return List.of();
    }
    if (isExec(frame)) {
      multi = false;
      return List.of(new Own(DISCARD, Frame.RESP_REPLY));
    }
    return List.of(new Own(NO_SUCH_COMMAND, Frame.RESP_REPLY));
  }

  /** As Redis does it, an EXEC that is refused tells why the transaction was thrown away. */
  @Override
  public byte[] error(Frame frame, WireError error) {
    return errorLine(
        multi && isExec(frame)
            ? "EXECABORT Transaction discarded because of: " + error.text()
            : error.text());
  }

  private static boolean isExec(Frame frame) {
    return frame.command != null && frame.command.name().equals("EXEC");
  }

  @Override
  public @Nullable Own farewell() {
    return null;
  }

  @Override
  public int serverUnit(byte[] b, int from, int to, @Nullable Expected next) {
    if (replies.between()) {
      head.clear();
    }
    int end = replies.next(b, from, to);
    head.add(b, from, end < 0 ? to : end);
    return end;
  }

  @Override
  public boolean aside() {
    return replies.outermost() == '>' || (subscriber && head.isPubSub());
  }

  @Override
  public Reply reply() {
    return head.reply();
  }

  /** An error as the server would send it. */
  static byte[] errorLine(String text) {
    return ("-" + text + "\r\n").getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] request(String name) {
    return ("*1\r\n$" + name.length() + "\r\n" + name + "\r\n").getBytes(StandardCharsets.US_ASCII);
  }
}
