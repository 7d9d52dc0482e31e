package io.stockproof.verification.explore;

import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.wire.Command;
import io.stockproof.verification.wire.WireError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What can go wrong at one command. The exact effect of those on the wire is the table in {@code
 * docs/faults.md}.
 */
public enum CommandFault {
  /** The connection ends before the command reaches the server. */
  LOST_BEFORE("lost-before", "the connection ends before the command reaches the server"),
  /** The server executes the command; the connection ends before its reply. */
  REPLY_LOST("reply-lost", "the server executes the command, the connection ends before its reply"),
  /** The client is cut off, and the command reaches the server at some later time. */
  LATE("late", "delivered at any later moment, after the client gave up"),
  /**
   * The instance dies before the command is sent; another one starts when the run has come to rest.
   */
  CRASH("crash", "the application instance dies before the command is sent"),
  /** Every key of the command is gone when it arrives. */
  KEY_EXPIRY(
      "key-expiry", "every key of the command (a coupon's keys, a lock's lease) expires before it"),
  /** One key of the command, the first, is gone. */
  FIRST_KEY_EXPIRY("first-key-expiry", "the first key of the command expires before it"),
  /** One key of the command, the last, is gone. */
  LAST_KEY_EXPIRY("last-key-expiry", "the last key of the command expires before it"),
  /** Everything that Redis keeps of the coupon is gone before the command takes effect. */
  REDIS_LOSES_ALL("redis-loses-all", "Redis loses every key that names the coupon before it"),
  /** Redis is as it was before the last command that changed something. */
  REDIS_LOSES_LAST_WRITE(
      "redis-loses-last-write", "a replica that lacks the last write takes over before it"),
  /** Redis is as it was before the first command of the run. */
  REDIS_LOSES_WRITES(
      "redis-loses-writes", "a replica that lacks every write of the run takes over before it"),
  ERROR_1213("error-1213", "deadlock: the transaction is rolled back"),
  ERROR_1205("error-1205", "lock wait timeout: the statement is rolled back"),
  ERROR_1020("error-1020", "record changed (MariaDB): the transaction is rolled back"),
  ERROR_1290("error-1290", "the database is read-only"),
  ERROR_OOM("error-oom", "Redis is at its memory limit"),
  ERROR_READONLY("error-readonly", "Redis is a replica"),
  ERROR_LOADING("error-loading", "Redis has just restarted"),
  ERROR_NOSCRIPT("error-noscript", "Redis does not know the script");

  private static final Set<String> WRITES = Set.of("UPDATE", "INSERT", "DELETE", "REPLACE");

  private final String title;
  private final String meaning;

  CommandFault(String title, String meaning) {
    this.title = title;
    this.meaning = meaning;
  }

  /** Name on the command line and in tokens: lower case with hyphens. */
  public String title() {
    return title;
  }

  /** What happens, in one line. */
  public String meaning() {
    return meaning;
  }

  /** Whether the client never gets the server's own answer. */
  boolean hidesReply() {
    return switch (this) {
      case KEY_EXPIRY,
          FIRST_KEY_EXPIRY,
          LAST_KEY_EXPIRY,
          REDIS_LOSES_ALL,
          REDIS_LOSES_LAST_WRITE,
          REDIS_LOSES_WRITES ->
          false;
      default -> true;
    };
  }

  /** Whether Redis comes back older than it was. */
  boolean turnsBack() {
    return this == REDIS_LOSES_LAST_WRITE || this == REDIS_LOSES_WRITES;
  }

  /** What is answered instead of executing the command; null if this fault is none of an answer. */
  public @Nullable WireError error() {
    return switch (this) {
      case ERROR_1213 -> WireError.deadlock();
      case ERROR_1205 -> WireError.lockWaitTimeout();
      case ERROR_1020 -> WireError.recordChanged();
      case ERROR_1290 -> WireError.readOnly();
      case ERROR_OOM -> WireError.outOfMemory();
      case ERROR_READONLY -> WireError.readOnlyReplica();
      case ERROR_LOADING -> WireError.loading();
      case ERROR_NOSCRIPT -> WireError.noScript();
      default -> null;
    };
  }

  /** Whether it can happen at this command. */
  public boolean appliesTo(Command command, Product product) {
    Words words =
        new Words(
            command.store() == Command.Store.REDIS,
            command.connection(),
            !command.inTransaction(),
            command.name(),
            command.keys(),
            command.statement(),
            command.parameters());
    return appliesTo(words, product);
  }

  /** Whether it can happen at such a command. */
  boolean appliesTo(Words words, Product product) {
    return switch (this) {
      case LOST_BEFORE, REPLY_LOST, LATE, CRASH, REDIS_LOSES_ALL -> true;
      // Between two commands to Redis nobody sees when it happened.
      case KEY_EXPIRY, REDIS_LOSES_LAST_WRITE, REDIS_LOSES_WRITES ->
          words.redis() && !words.keys().isEmpty();
      case FIRST_KEY_EXPIRY, LAST_KEY_EXPIRY -> words.redis() && words.keys().size() > 1;
      case ERROR_1213 -> locksOrEnds(words);
      case ERROR_1205 -> !words.redis() && locks(words);
      case ERROR_1020 -> product == Product.MARIADB && locksOrEnds(words);
      case ERROR_1290 -> !words.redis() && WRITES.contains(words.name());
      case ERROR_OOM, ERROR_READONLY -> words.redis() && !Footprints.readsOnly(words);
      case ERROR_LOADING -> words.redis();
      case ERROR_NOSCRIPT -> words.redis() && words.name().startsWith("EVALSHA");
    };
  }

  /**
   * Which of a command's keys expire by it.
   *
   * @param keys not empty, if this is the expiry of one
   */
  public List<String> expiring(List<String> keys) {
    return switch (this) {
      case FIRST_KEY_EXPIRY -> keys.subList(0, 1);
      case LAST_KEY_EXPIRY -> keys.subList(keys.size() - 1, keys.size());
      default -> keys;
    };
  }

  private static boolean locksOrEnds(Words words) {
    return !words.redis() && (locks(words) || words.name().equals("COMMIT"));
  }

  private static boolean locks(Words words) {
    return WRITES.contains(words.name())
        || (words.name().equals("SELECT")
            && words.statement().toUpperCase(Locale.ROOT).contains("FOR UPDATE"));
  }

  /**
   * Reads what was asked for with {@code --faults}.
   *
   * @param names {@code none}, {@code all}, or names separated by commas; {@code error} stands for
   *     all error answers, {@code lease-expiry} for {@code key-expiry}
   * @return the faults in order of declaration
   * @throws IllegalArgumentException if a name is not one of them
   */
  public static Set<CommandFault> parse(String names) {
    if (names.equals("none")) {
      return Set.of();
    }
    if (names.equals("all")) {
      return new LinkedHashSet<>(Arrays.asList(values()));
    }
    List<CommandFault> chosen = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      String wanted = name.trim().equals("lease-expiry") ? "key-expiry" : name.trim();
      List<CommandFault> named =
          Arrays.stream(values())
              .filter(f -> f.title.equals(wanted) || (wanted.equals("error") && f.error() != null))
              .toList();
      if (named.isEmpty()) {
        throw new IllegalArgumentException(
            "no fault is called '%s'; faults are none, all, error, lease-expiry, %s"
                .formatted(
                    name.trim(),
                    Arrays.stream(values()).map(f -> f.title).collect(Collectors.joining(", "))));
      }
      chosen.addAll(named);
    }
    chosen.sort(null);
    return new LinkedHashSet<>(chosen);
  }
}
