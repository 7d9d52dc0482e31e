package io.stockproof.verification.wire;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A decoded Redis command. */
final class RedisRequest implements Decoded {
  private static final int LONGEST_ARGUMENT = 64;
  private static final int LONGEST_STATEMENT = 400;
  private static final int MOST_ARGUMENTS = 1 << 20;

  private static final Set<String> HOUSEKEEPING =
      Set.of(
          "PING",
          "HELLO",
          "CLIENT",
          "AUTH",
          "SELECT",
          "INFO",
          "ECHO",
          "QUIT",
          "RESET",
          "COMMAND",
          "CONFIG",
          "CLUSTER",
          "READONLY",
          "READWRITE",
          "ASKING",
          "ROLE",
          "SUBSCRIBE",
          "PSUBSCRIBE",
          "SSUBSCRIBE",
          "UNSUBSCRIBE",
          "PUNSUBSCRIBE",
          "SUNSUBSCRIBE",
          "PUBSUB",
          "SENTINEL",
          "LASTSAVE",
          "SLOWLOG",
          "LATENCY",
          "MODULE",
          "ACL",
          "MONITOR");

  private final List<String> words;
  private final @Nullable List<String> keys;
  private final List<Integer> positions;
  private final boolean queued;

  private RedisRequest(List<String> words, boolean inMulti, Set<String> keysOfMulti) {
    this.words = words;
    List<Integer> found = RedisKeys.positions(words);
    this.positions = found == null ? List.of() : found;
    String name = words.get(0);
    this.queued = name.equals("MULTI") || (inMulti && !endsMulti(name));
    if (found == null) {
      this.keys = null;
    } else if (name.equals("EXEC")) {
      this.keys = List.copyOf(keysOfMulti);
    } else {
      this.keys = found.stream().map(words::get).distinct().toList();
    }
  }

  /**
   * Decodes a frame.
   *
   * @param keysOfMulti keys named since MULTI; those of this command are added
   * @return null if it is no command, with an empty name if it is a blank line
   */
  static @Nullable RedisRequest decode(byte[] frame, boolean inMulti, Set<String> keysOfMulti) {
    List<String> words = frame[0] == '*' ? words(frame) : line(frame);
    if (words == null) {
      return null;
    }
    if (words.isEmpty()) {
      words = List.of("");
    } else {
      words.set(0, words.get(0).toUpperCase(Locale.ROOT));
    }
    RedisRequest request = new RedisRequest(words, inMulti, keysOfMulti);
    if (inMulti) {
      keysOfMulti.addAll(request.keys());
    }
    return request;
  }

  private static boolean endsMulti(String name) {
    return name.equals("EXEC") || name.equals("DISCARD") || name.equals("RESET");
  }

  /** The scanner has seen that lengths and bytes agree, not that all elements are strings. */
  private static @Nullable List<String> words(byte[] b) {
    int[] at = {1};
    long count = header(b, at);
    if (count > MOST_ARGUMENTS) {
      return null;
    }
    List<String> words = new ArrayList<>((int) Math.max(0, Math.min(count, 64)));
    for (long i = 0; i < count; i++) {
      if (at[0] >= b.length || b[at[0]++] != '$') {
        return null;
      }
      long length = header(b, at);
      if (length < 0 || at[0] + length + 2 > b.length) {
        return null;
      }
      words.add(Printable.text(b, at[0], (int) length));
      at[0] += (int) length + 2;
    }
    return words;
  }

  private static long header(byte[] b, int[] at) {
    int i = at[0];
    long number = 0;
    boolean negative = b[i] == '-';
    for (i += negative ? 1 : 0; i < b.length && b[i] != '\r'; i++) {
      number = number * 10 + (b[i] - '0');
    }
    at[0] = i + 2;
    return negative ? -number : number;
  }

  private static List<String> line(byte[] b) {
    String line = Printable.text(b, 0, b.length - 1).replace("\\x0d", "").replace("\\x09", " ");
    List<String> words = new ArrayList<>();
    for (String word : line.strip().split(" +", -1)) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    return words;
  }

  @Override
  public String name() {
    return words.get(0);
  }

  /** First argument in upper case, or empty. */
  String subcommand() {
    return words.size() > 1 ? words.get(1).toUpperCase(Locale.ROOT) : "";
  }

  @Override
  public List<String> keys() {
    return keys == null ? List.of() : keys;
  }

  @Override
  public boolean keysKnown() {
    return keys != null;
  }

  @Override
  public List<String> parameters() {
    Set<Integer> isKey = new LinkedHashSet<>(positions);
    List<String> parameters = new ArrayList<>();
    for (int i = 1; i < words.size(); i++) {
      if (!isKey.contains(i)) {
        parameters.add(words.get(i));
      }
    }
    return parameters;
  }

  @Override
  public String statement() {
    if (name().equals("AUTH") || name().equals("HELLO")) {
      return name();
    }
    StringBuilder text = new StringBuilder(name());
    for (int i = 1; i < words.size() && text.length() < LONGEST_STATEMENT; i++) {
      String word = words.get(i);
      text.append(' ');
      if (word.length() > LONGEST_ARGUMENT) {
        text.append(word, 0, LONGEST_ARGUMENT).append('…');
      } else {
        text.append(word.isEmpty() ? "\"\"" : word);
      }
    }
    return text.length() > LONGEST_STATEMENT
        ? text.substring(0, LONGEST_STATEMENT) + "…"
        : text.toString();
  }

  @Override
  public boolean housekeeping() {
    return switch (name()) {
      case "SCRIPT" -> subcommand().equals("LOAD") || subcommand().equals("EXISTS");
      case "FUNCTION" -> !subcommand().equals("FLUSH") && !subcommand().equals("RESTORE");
      case "CONFIG" -> subcommand().equals("GET");
      case "CLIENT" -> !subcommand().equals("KILL");
      default -> HOUSEKEEPING.contains(name());
    };
  }

  @Override
  public boolean queuedByServer() {
    return queued;
  }
}
