package io.stockproof.verification.subjects;

import static io.stockproof.verification.rules.Rule.R101;
import static io.stockproof.verification.rules.Rule.R102;
import static io.stockproof.verification.rules.Rule.R103;
import static io.stockproof.verification.rules.Rule.R202;
import static io.stockproof.verification.rules.Rule.R203;
import static io.stockproof.verification.rules.Rule.R204;
import static io.stockproof.verification.rules.Rule.R206;
import static io.stockproof.verification.rules.Rule.R303;
import static io.stockproof.verification.rules.Rule.R304;
import static io.stockproof.verification.rules.Rule.R305;
import static io.stockproof.verification.rules.Rule.R307;
import static io.stockproof.verification.rules.Rule.R308;
import static io.stockproof.verification.rules.Rule.R401;
import static io.stockproof.verification.rules.Rule.R402;
import static io.stockproof.verification.rules.Rule.R403;
import static io.stockproof.verification.rules.Rule.R502;
import static io.stockproof.verification.rules.Rule.R503;
import static io.stockproof.verification.rules.Rule.R504;
import static io.stockproof.verification.rules.Rule.R602;

import io.stockproof.verification.Capability;
import io.stockproof.verification.GateKeys;
import io.stockproof.verification.JdbcAndRedisSubject;
import io.stockproof.verification.LeaseKeys;
import io.stockproof.verification.LedgerQueries;
import io.stockproof.verification.Subject;
import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The subjects that come with Stockproof, by name. */
public final class Subjects {

  /** What a name ends in if the subject is run with the unique key that its article leaves out. */
  public static final String WITH_UNIQUE = "+unique";

  /**
   * Longer than any run, and than any search that a watchdog's renewals could meet in the middle:
   * leases end where the search says so.
   */
  private static final Duration LEASE = Duration.ofMinutes(10);

  private static final Duration LEASE_IN_SERVICE = Duration.ofSeconds(1);

  static final String LOCK_KEY = "lock:coupon:%d";

  /**
   * A subject that comes with Stockproof.
   *
   * @param name how it is called on the command line
   * @param source the articles that describe it, by number, and where in them
   * @param summary what it is, in a line
   * @param expected the rules it is known to break
   * @param expectedWithUnique the same with a unique key over coupon and user; null if it has one
   * @param make makes a new one, to be closed by whoever asked
   */
  public record Entry(
      String name,
      String source,
      String summary,
      ExpectedRules expected,
      @Nullable ExpectedRules expectedWithUnique,
      Supplier<JdbcAndRedisSubject> make) {

    /**
     * The same with a unique key over coupon and user, a violation of which is told as DUPLICATE;
     * called as this one and {@link Subjects#WITH_UNIQUE}. Empty if it has such a key anyway.
     */
    public Optional<Entry> withUniqueKey() {
      String otherName = name + WITH_UNIQUE;
      return expectedWithUnique == null
          ? Optional.empty()
          : Optional.of(
              new Entry(
                  otherName,
                  source,
                  summary + ", UNIQUE",
                  expectedWithUnique,
                  null,
                  () -> make.get().withUniqueKey().renamed(otherName, DuplicateIsAnAnswer::new)));
    }
  }

  private static final List<Entry> ALL =
      List.of(
          noControl(),
          synchronizedFacade(),
          pessimistic(),
          optimistic(),
          atomicUpdate(),
          atomicUpdateTx(),
          redissonLock(),
          setnxLock(),
          setnxLockFenced(),
          luaGate(),
          stockproof());

  private Subjects() {}

  /** All of them, in the order of the table in the documentation. */
  public static List<Entry> all() {
    return ALL;
  }

  /** The one of this name; with {@link #WITH_UNIQUE} at its end, that one with a unique key. */
  public static Optional<Entry> named(String name) {
    if (name.endsWith(WITH_UNIQUE)) {
      String plain = name.substring(0, name.length() - WITH_UNIQUE.length());
      return named(plain).flatMap(Entry::withUniqueKey);
    }
    return ALL.stream().filter(entry -> entry.name().equals(name)).findFirst();
  }

  /**
   * The one of this name as it would run in a service, for load and faults: background work is done
   * unasked, and leases end by themselves ({@code setnx-lock} after 1 s, as in article 004). {@link
   * #named} gives the same where the two do not differ.
   */
  public static Optional<Supplier<JdbcAndRedisSubject>> inService(String name) {
    boolean unique = name.endsWith(WITH_UNIQUE);
    String plain = unique ? name.substring(0, name.length() - WITH_UNIQUE.length()) : name;
    Supplier<JdbcAndRedisSubject> own =
        switch (plain) {
          case "stockproof" -> StockproofSubject::inService;
          case "optimistic" -> () -> optimistic(RetrySettings.asPublished());
          case "redisson-lock" -> () -> redissonLock(LockSettings.failFast(LEASE_IN_SERVICE));
          case "setnx-lock" -> () -> setnxLock(LockSettings.failFast(LEASE_IN_SERVICE));
          case "setnx-lock-fenced" ->
              () -> setnxLockFenced(LockSettings.failFast(LEASE_IN_SERVICE));
          default -> null;
        };
    return named(name)
        .map(
            entry ->
                own == null
                    ? entry.make()
                    : unique
                        ? () -> own.get().withUniqueKey().renamed(name, DuplicateIsAnAnswer::new)
                        : own);
  }

  /** Article 001 §3 with these retries; to be closed. */
  public static JdbcAndRedisSubject optimistic(RetrySettings retries) {
    return Subject.jdbcAndRedis("optimistic", endpoints -> new Optimistic(endpoints, retries))
        .withLedger(LedgerQueries.defaults().withCouponColumn(Optimistic.VERSION_COLUMN))
        .withoutUniqueKey();
  }

  /** Article 004 v4 with this lease and wait; to be closed. */
  public static JdbcAndRedisSubject redissonLock(LockSettings lock) {
    return Subject.jdbcAndRedis("redisson-lock", endpoints -> new RedissonLock(endpoints, lock))
        .withLeases(LeaseKeys.of(LOCK_KEY).besides("redisson_unlock_latch:"))
        .withoutUniqueKey();
  }

  /** Article 004 v5 with this lease and wait; to be closed. */
  public static JdbcAndRedisSubject setnxLock(LockSettings lock) {
    return Subject.jdbcAndRedis("setnx-lock", endpoints -> new SetnxLock(endpoints, lock))
        .withLeases(LeaseKeys.of(LOCK_KEY))
        .withoutUniqueKey();
  }

  /** Article 004 v5 and what §4 says is missing, with this lease and wait; to be closed. */
  public static JdbcAndRedisSubject setnxLockFenced(LockSettings lock) {
    return Subject.jdbcAndRedis(
            "setnx-lock-fenced", endpoints -> new SetnxLockFenced(endpoints, lock))
        .withLedger(LedgerQueries.defaults().withCouponColumn(SetnxLockFenced.FENCE_COLUMN))
        .withLeases(LeaseKeys.of(LOCK_KEY))
        .withoutUniqueKey();
  }

  private static Entry noControl() {
    return new Entry(
        "no-control",
        "001 §1, 004 v1",
        "in a transaction: read, check, insert, write back the count",
        new ExpectedRules(
            Set.of(R101, R102, R103, R307), Set.of(), Set.of(), Set.of(R101, R102, R103)),
        new ExpectedRules(Set.of(R101, R103), Set.of(), Set.of(), Set.of(R101, R103)),
        () -> Subject.jdbcAndRedis("no-control", NoControl::start).withoutUniqueKey());
  }

  private static Entry synchronizedFacade() {
    return new Entry(
        "synchronized",
        "004 v2",
        "a monitor of this process around the transaction",
        new ExpectedRules(
            Set.of(R102, R307), Set.of(R101, R103), Set.of(), Set.of(R101, R102, R103)),
        new ExpectedRules(Set.of(), Set.of(R101, R103), Set.of(), Set.of(R101, R103)),
        () -> Subject.jdbcAndRedis("synchronized", Synchronized::new).withoutUniqueKey());
  }

  private static Entry pessimistic() {
    return new Entry(
        "pessimistic",
        "000, 001 §2, 004 v3",
        "SELECT … FOR UPDATE, check, insert, update, in one transaction",
        new ExpectedRules(Set.of(R102, R307), Set.of(), Set.of(), Set.of(R102)),
        ExpectedRules.none(),
        () -> Subject.jdbcAndRedis("pessimistic", Pessimistic::start).withoutUniqueKey());
  }

  private static Entry optimistic() {
    return new Entry(
        "optimistic",
        "001 §3",
        "compare-and-set of a version, then the row; retries",
        new ExpectedRules(
            Set.of(R102, R103, R206, R303, R307), Set.of(), Set.of(R202, R308, R503), Set.of(R102)),
        new ExpectedRules(
            Set.of(R103, R202, R206, R303, R305, R307), Set.of(), Set.of(R308, R503), Set.of(R103)),
        () -> optimistic(RetrySettings.asPublished().withRetries(1)));
  }

  private static Entry atomicUpdate() {
    return new Entry(
        "atomic-update",
        "001 §4",
        "conditional UPDATE, then the row, each its own transaction",
        new ExpectedRules(
            Set.of(R102, R103, R303, R307), Set.of(), Set.of(R202, R503), Set.of(R102)),
        new ExpectedRules(Set.of(R103, R202, R303, R307), Set.of(), Set.of(R503), Set.of(R103)),
        () -> Subject.jdbcAndRedis("atomic-update", AtomicUpdate::new).withoutUniqueKey());
  }

  private static Entry atomicUpdateTx() {
    return new Entry(
        "atomic-update-tx",
        "000, before",
        "conditional UPDATE and a UNIQUE row in one transaction",
        new ExpectedRules(Set.of(R401, R402), Set.of(), Set.of(), Set.of()),
        null,
        () ->
            Subject.jdbcAndRedis("atomic-update-tx", AtomicUpdateTx::start)
                .claiming(Capability.MULTI_INSTANCE, Capability.CHEAP_REFUSAL));
  }

  private static Entry redissonLock() {
    return new Entry(
        "redisson-lock",
        "004 v4",
        "Redisson's lock with its watchdog, fail fast, around the transaction",
        lockExpectations(Set.of(R101, R103, R503, R504)),
        lockExpectationsWithUnique(Set.of(R101, R103, R504)),
        () -> redissonLock(LockSettings.failFast(LEASE)));
  }

  private static Entry setnxLock() {
    return new Entry(
        "setnx-lock",
        "004 v5",
        "SET NX PX with a token, compare-and-delete, around the transaction",
        lockExpectations(Set.of(R101, R103, R503, R504)),
        lockExpectationsWithUnique(Set.of(R101, R103, R504)),
        () -> setnxLock(LockSettings.failFast(LEASE)));
  }

  private static Entry setnxLockFenced() {
    return new Entry(
        "setnx-lock-fenced",
        "004 §4",
        "the same lock; its holder's number is claimed and checked in the row",
        lockExpectations(Set.of(R503)),
        lockExpectationsWithUnique(Set.of()),
        () -> setnxLockFenced(LockSettings.failFast(LEASE)));
  }

  private static ExpectedRules lockExpectations(Set<Rule> withFaults) {
    return new ExpectedRules(Set.of(R102, R206, R307), Set.of(), withFaults, Set.of(R102));
  }

  private static ExpectedRules lockExpectationsWithUnique(Set<Rule> withFaults) {
    return new ExpectedRules(Set.of(R206), Set.of(), withFaults, Set.of());
  }

  private static Entry luaGate() {
    return new Entry(
        "lua-gate",
        "000, after",
        "a Lua script before a conditional UPDATE and a UNIQUE row",
        new ExpectedRules(
            Set.of(R304, R402),
            Set.of(),
            Set.of(R202, R203, R204, R303, R307, R308, R403, R502, R503, R602),
            Set.of(R304)),
        null,
        () ->
            Subject.jdbcAndRedis("lua-gate", LuaGate::new)
                .claiming(
                    Capability.MULTI_INSTANCE,
                    Capability.GATE,
                    Capability.CHEAP_REFUSAL,
                    Capability.OPENING)
                .withGate(GateKeys.of(LuaGate.STOCK_KEY, LuaGate.USERS_KEY)));
  }

  private static Entry stockproof() {
    return new Entry(
        "stockproof",
        "this project",
        "the core: gate with reservations, fenced ledger, exact compensation",
        ExpectedRules.none(),
        null,
        StockproofSubject::make);
  }
}
