package io.stockproof.verification.explore;

import io.stockproof.verification.explore.Access.Mode;
import io.stockproof.verification.explore.Footprint.Lock;
import io.stockproof.verification.wire.Reply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What commands touch, in one run. Knows which rows each open transaction has changed, so that a
 * {@code COMMIT} is seen as what it is: the moment at which they show, and their locks go.
 *
 * <p>Used by the scheduler's thread only; the shapes of statements are shared by all runs.
 */
final class Footprints {

  private static final Map<String, SqlShape> SHAPES = new ConcurrentHashMap<>();
  private static final int MAX_SHAPES = 10_000;

  private static final Set<String> REDIS_READS =
      Set.of(
          "GET",
          "MGET",
          "STRLEN",
          "EXISTS",
          "TTL",
          "PTTL",
          "TYPE",
          "SISMEMBER",
          "SMISMEMBER",
          "SMEMBERS",
          "SCARD",
          "HGET",
          "HMGET",
          "HGETALL",
          "HLEN",
          "HEXISTS",
          "HKEYS",
          "LLEN",
          "LRANGE",
          "ZSCORE",
          "ZCARD",
          "ZRANGE",
          "GETRANGE",
          "WATCH",
          "EVAL_RO",
          "EVALSHA_RO");

  /** Redis commands that touch no key. */
  private static final Set<String> REDIS_NEUTRAL =
      Set.of("TIME", "PUBLISH", "SUBSCRIBE", "UNSUBSCRIBE", "MULTI", "DISCARD", "UNWATCH");

  /** Redis commands after which a connection watches nothing. */
  private static final Set<String> REDIS_UNWATCHES = Set.of("EXEC", "DISCARD", "UNWATCH");

  private static final int DUPLICATE_KEY = 1062;

  /** After these the server has rolled the whole transaction back. */
  private static final Set<Integer> ROLLED_BACK = Set.of(1213, 1020);

  private final UniqueKeys keys;
  private final Map<Integer, Transaction> open = new HashMap<>();
  private final Map<Integer, Set<String>> watched = new HashMap<>();

  Footprints(UniqueKeys keys) {
    this.keys = keys;
  }

  /** What one open transaction has done so far. */
  private static final class Transaction {
    final List<Access> changed = new ArrayList<>();
    final Set<Lock> locks = new HashSet<>();
    boolean hasSnapshot;
  }

  /** What the step would touch, done now. */
  Footprint of(Words words) {
    if (words.redis()) {
      return redis(words);
    }
    return switch (words.name()) {
      case "COMMIT" -> end(words.connection());
      case "ROLLBACK" -> toSavepoint(words) ? wholeLedger() : end(words.connection());
      // Inside a transaction these commit it; outside they touch nothing.
      case "BEGIN", "START", "SET" -> end(words.connection());
      case "USE", "SHOW" -> Footprint.NONE;
      default -> sql(words);
    };
  }

  /**
   * Takes note that the step was done, and what came of it.
   *
   * @return what it touched beyond what could be known before
   */
  Footprint done(Words words, Reply reply) {
    if (words.redis()) {
      watch(words, reply);
      return Footprint.NONE;
    }
    if (reply.error() && ROLLED_BACK.contains(reply.code())) {
      Footprint undone = end(words.connection());
      open.remove(words.connection());
      return undone;
    }
    if (words.autocommit()) {
      return Footprint.NONE;
    }
    switch (words.name()) {
      case "ROLLBACK" -> {
        if (!toSavepoint(words)) {
          open.remove(words.connection());
        }
        return Footprint.NONE;
      }
      case "COMMIT", "BEGIN", "START", "SET" -> {
        open.remove(words.connection());
        return Footprint.NONE;
      }
      default -> {
        return doneInTransaction(words, reply);
      }
    }
  }

  private Footprint doneInTransaction(Words words, Reply reply) {
    Transaction transaction = open.computeIfAbsent(words.connection(), c -> new Transaction());
    SqlSkeleton skeleton = SqlSkeleton.of(words.statement(), words.parameters());
    SqlShape shape = shape(skeleton);
    transaction.hasSnapshot |= shape.kind() == SqlShape.Kind.READ;
    List<Access> gaps = gaps(shape, reply);
    transaction.changed.addAll(gaps);
    if (!reply.error()) {
      transaction.changed.addAll(changes(shape, skeleton));
      if (Math.max(reply.affectedRows(), reply.rows()) > 0) {
        transaction.locks.addAll(needs(shape, skeleton));
      }
    }
    return new Footprint(gaps);
  }

  /**
   * A locking statement that finds no row locks the gap where it would be, and an INSERT that meets
   * its key the gap before that: in the way of rows that are not there yet, whatever their keys.
   */
  private static List<Access> gaps(SqlShape shape, Reply reply) {
    boolean found = Math.max(reply.affectedRows(), reply.rows()) > 0;
    boolean gap =
        switch (shape.kind()) {
          case LOCKING_READ, CHANGE -> !reply.error() && !found;
          case INSERT -> reply.error() && reply.code() == DUPLICATE_KEY;
          case READ, NONE, UNKNOWN -> false;
        };
    return gap
        ? shape.tables().stream().map(t -> new Access("db:" + t, Map.of(), Mode.LOCK)).toList()
        : List.of();
  }

  private void watch(Words words, Reply reply) {
    if (words.name().equals("WATCH") && !reply.error()) {
      watched.computeIfAbsent(words.connection(), c -> new HashSet<>()).addAll(words.keys());
    } else if (REDIS_UNWATCHES.contains(words.name())) {
      watched.remove(words.connection());
    }
  }

  private static boolean toSavepoint(Words words) {
    return words.statement().toUpperCase(Locale.ROOT).contains(" TO ");
  }

  private static Footprint wholeLedger() {
    return new Footprint(List.of(Access.whole("db", Mode.WRITE)));
  }

  /** The connection is gone, and its transaction with it. */
  void closed(int connection) {
    open.remove(connection);
    watched.remove(connection);
  }

  /** Whether a lock that the step needs is held by another connection's open transaction. */
  boolean blocked(int connection, Footprint footprint) {
    return !footprint.needs().isEmpty()
        && open.entrySet().stream()
            .filter(other -> other.getKey() != connection)
            .anyMatch(
                other -> footprint.needs().stream().anyMatch(other.getValue().locks::contains));
  }

  /** Whether it is known to change nothing in Redis. */
  static boolean readsOnly(Words words) {
    return REDIS_READS.contains(words.name()) || REDIS_NEUTRAL.contains(words.name());
  }

  /** The connection other than this one whose open transaction holds the lock, or -1. */
  int holderOf(Lock lock, int connection) {
    return open.entrySet().stream()
        .filter(other -> other.getKey() != connection && other.getValue().locks.contains(lock))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(-1);
  }

  private Footprint redis(Words words) {
    if (REDIS_NEUTRAL.contains(words.name())) {
      return Footprint.NONE;
    }
    Mode mode = REDIS_READS.contains(words.name()) ? Mode.READ : Mode.WRITE;
    if (words.keys().isEmpty()) {
      return new Footprint(List.of(Access.whole("redis", mode)));
    }
    Footprint own = ofKeys(words.keys(), mode);
    // Whether EXEC does anything depends on who has written to what was watched.
    return words.name().equals("EXEC")
        ? own.and(ofKeys(watched.getOrDefault(words.connection(), Set.of()), Mode.READ))
        : own;
  }

  private static Footprint ofKeys(Collection<String> keys, Mode mode) {
    return new Footprint(
        keys.stream().map(key -> new Access("redis:" + key, Map.of(), mode)).toList());
  }

  /** What the end of a connection's open transaction touches. */
  Footprint rollback(int connection) {
    return end(connection);
  }

  private Footprint end(int connection) {
    Transaction transaction = open.get(connection);
    if (transaction == null) {
      return Footprint.NONE;
    }
    List<Access> shown =
        transaction.changed.stream().map(a -> new Access(a.place(), a.row(), Mode.WRITE)).toList();
    return new Footprint(shown, Set.of(), transaction.locks);
  }

  private Footprint sql(Words words) {
    SqlSkeleton skeleton = SqlSkeleton.of(words.statement(), words.parameters());
    SqlShape shape = shape(skeleton);
    return switch (shape.kind()) {
      case NONE -> Footprint.NONE;
      case UNKNOWN -> wholeLedger();
      case READ -> read(words, shape, skeleton);
      case LOCKING_READ, CHANGE, INSERT -> {
        List<Access> changes = changes(shape, skeleton);
        if (words.autocommit() && shape.kind() != SqlShape.Kind.LOCKING_READ) {
          changes = changes.stream().map(a -> new Access(a.place(), a.row(), Mode.WRITE)).toList();
        }
        yield new Footprint(changes, needs(shape, skeleton), Set.of());
      }
    };
  }

  private Footprint read(Words words, SqlShape shape, SqlSkeleton skeleton) {
    Transaction transaction = open.get(words.connection());
    if (!words.autocommit() && (transaction == null || !transaction.hasSnapshot)) {
      // The first plain read of a transaction fixes what all later ones see, whatever they read.
      return new Footprint(List.of(Access.whole("db", Mode.READ)));
    }
    return new Footprint(accesses(shape, skeleton, Mode.READ));
  }

  private List<Access> changes(SqlShape shape, SqlSkeleton skeleton) {
    return switch (shape.kind()) {
      case INSERT -> accesses(shape, skeleton, Mode.INSERT);
      case LOCKING_READ, CHANGE -> accesses(shape, skeleton, Mode.LOCK);
      case UNKNOWN -> List.of(Access.whole("db", Mode.LOCK));
      case READ, NONE -> List.of();
    };
  }

  private List<Access> accesses(SqlShape shape, SqlSkeleton skeleton, Mode mode) {
    List<Access> accesses = new ArrayList<>();
    if (shape.tables().size() != 1) {
      shape.tables().forEach(table -> accesses.add(new Access("db:" + table, Map.of(), mode)));
      return accesses;
    }
    String table = shape.tables().get(0);
    for (Map<String, Integer> row : shape.rows()) {
      Map<String, String> bound = new HashMap<>(keys.bound(table, row, skeleton.values()));
      if (mode == Mode.LOCK && bound.containsKey(UniqueKeys.PRIMARY)) {
        bound.keySet().retainAll(Set.of(UniqueKeys.PRIMARY));
      } else if (mode == Mode.LOCK) {
        // By another key a lock may fall on a gap, and so on rows that are not there yet.
        bound.clear();
      }
      accesses.add(new Access("db:" + table, bound, mode));
    }
    if (mode == Mode.INSERT || mode == Mode.LOCK) {
      accesses.addAll(foreign(shape, table));
    }
    return accesses;
  }

  /**
   * What foreign keys make a change touch besides: it shares a lock on the row that it refers to,
   * and a row that others refer to is in the way of theirs.
   */
  private List<Access> foreign(SqlShape shape, String table) {
    List<Access> accesses = new ArrayList<>();
    if (shape.kind() != SqlShape.Kind.LOCKING_READ) {
      keys.parentsOf(table)
          .forEach(parent -> accesses.add(new Access("db:" + parent, Map.of(), Mode.SHARE)));
    }
    if (shape.kind() == SqlShape.Kind.CHANGE) {
      keys.childrenOf(table)
          .forEach(child -> accesses.add(new Access("db:" + child, Map.of(), Mode.LOCK)));
    }
    return accesses;
  }

  private Set<Lock> needs(SqlShape shape, SqlSkeleton skeleton) {
    Set<Lock> needs = new HashSet<>();
    if (shape.tables().size() == 1
        && (shape.kind() == SqlShape.Kind.INSERT
            || shape.kind() == SqlShape.Kind.CHANGE
            || shape.kind() == SqlShape.Kind.LOCKING_READ)) {
      String own = "db:" + shape.tables().get(0);
      for (Access access : changes(shape, skeleton)) {
        if (!access.place().equals(own)) {
          continue;
        }
        access.row().forEach((key, values) -> needs.add(new Lock(access.place(), key, values)));
      }
    }
    return needs;
  }

  private static SqlShape shape(SqlSkeleton skeleton) {
    if (SHAPES.size() > MAX_SHAPES) {
      SHAPES.clear();
    }
    return SHAPES.computeIfAbsent(skeleton.text(), SqlShape::of);
  }
}
