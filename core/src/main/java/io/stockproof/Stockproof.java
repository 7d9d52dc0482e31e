package io.stockproof;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.RedisClusterClient;
import io.stockproof.gate.GateException;
import io.stockproof.gate.RedisScripts;
import io.stockproof.gate.RedisStockGate;
import io.stockproof.gate.Replies;
import io.stockproof.ledger.Deadline;
import io.stockproof.ledger.JdbcLedger;
import io.stockproof.ledger.LedgerException;
import io.stockproof.ledger.LedgerSchema;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The issuer on Redis and a MySQL-compatible database.
 *
 * <pre>{@code
 * try (Stockproof stockproof = Stockproof.issuer(dataSource, redisClient).build()) {
 *   stockproof.coupons().open(new CouponSpec(42, 100, opensAt, closesAt));
 *   IssueOutcome outcome = stockproof.issue(42, "user-7");
 * }
 * }</pre>
 */
public final class Stockproof implements CouponIssuer {

  private static final Logger LOG = LoggerFactory.getLogger(Stockproof.class);

  private final Parts parts;
  private final Background background;
  private final Requests requests;
  private final StoredCoupons coupons;
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile boolean closed;

  private Stockproof(Parts parts) {
    this.parts = parts;
    Resolver resolver = new Resolver(parts);
    Recovery recovery = new Recovery(parts);
    this.background = new Background(parts, resolver, recovery);
    this.requests =
        new Requests(parts.settings(), new IssueFlow(parts, resolver, recovery), resolver);
    this.coupons = new StoredCoupons(parts);
    if (parts.settings().background()) {
      background.startThreads();
    }
  }

  /**
   * An issuer on a single Redis server, or a primary behind Sentinel. It opens one connection of
   * its own from the client; both stay the caller's to close, after the issuer.
   *
   * @param dataSource connections to the database; give its pool a connection timeout
   * @param redisClient how to reach Redis
   */
  public static Builder issuer(DataSource dataSource, RedisClient redisClient) {
    return new Builder(dataSource, () -> RedisScripts.standalone(redisClient));
  }

  /** As {@link #issuer(DataSource, RedisClient)}, on a Redis Cluster. */
  public static Builder issuer(DataSource dataSource, RedisClusterClient redisClient) {
    return new Builder(dataSource, () -> RedisScripts.cluster(redisClient));
  }

  /**
   * As {@link #issuer(DataSource, RedisClient)}, with scripts run by another client library.
   *
   * @param dataSource connections to the database
   * @param scripts how to run scripts; closed with the issuer
   */
  public static Builder issuer(DataSource dataSource, RedisScripts scripts) {
    return new Builder(dataSource, () -> scripts);
  }

  /** What is done with coupons beside issuing them. */
  public Coupons coupons() {
    return coupons;
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) {
    check(couponId, userId);
    Request request = request(couponId, userId);
    IssueOutcome known = parts.memory().recall(couponId);
    if (known != null) {
      return tell(request, known);
    }
    enter();
    try {
      return tell(request, requests.run(request));
    } finally {
      inFlight.decrementAndGet();
    }
  }

  @Override
  public CompletionStage<IssueOutcome> issueAsync(long couponId, String userId) {
    if (!parts.settings().background()) {
      return CompletableFuture.completedFuture(issue(couponId, userId));
    }
    check(couponId, userId);
    Request request = request(couponId, userId);
    IssueOutcome known = parts.memory().recall(couponId);
    if (known != null) {
      return CompletableFuture.completedFuture(tell(request, known));
    }
    if (enter() > parts.settings().maxInFlight()) {
      inFlight.decrementAndGet();
      return CompletableFuture.completedFuture(tell(request, IssueOutcome.UNAVAILABLE));
    }
    return requests
        .runAsync(request)
        .whenComplete((outcome, error) -> inFlight.decrementAndGet())
        .thenApply(outcome -> tell(request, outcome));
  }

  private IssueOutcome tell(Request request, IssueOutcome outcome) {
    parts
        .listener()
        .onOutcome(
            request.couponId(),
            request.userId(),
            outcome,
            parts.settings().timeout().minusNanos(request.deadline().remainingNanos()));
    return outcome;
  }

  /**
   * Finishes the background work that is waiting now, on the caller's thread: confirms, releases
   * and rebuilds. Needed only where {@link Builder#background} is off; allowed anywhere.
   *
   * @throws StoreUnavailableException if a store did not answer; what is left is kept for the next
   *     time
   */
  public void resolve() {
    background.resolveNow();
  }

  /**
   * As {@link #resolve}, and then reconciles the coupons that this instance was asked for: what the
   * reconciler does every {@link Builder#reconcilePeriod} where {@link Builder#background} is on.
   *
   * @throws StoreUnavailableException if a store did not answer; what is left is kept for the next
   *     time
   */
  public void reconcile() {
    background.reconcileNow();
  }

  private static void check(long couponId, String userId) {
    Ids.checkCoupon(couponId);
    Ids.checkUser(userId);
  }

  private int enter() {
    int now = inFlight.incrementAndGet();
    if (closed) {
      inFlight.decrementAndGet();
      throw new IllegalStateException("this issuer is closed");
    }
    return now;
  }

  /** The deadline runs from before the first send. */
  private Request request(long couponId, String userId) {
    return new Request(couponId, userId, parts.settings().tokens().get(), parts.deadline());
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    // Every request ends by its deadline.
    Deadline deadline = Deadline.in(parts.settings().timeout().multipliedBy(2), System::nanoTime);
    while (inFlight.get() > 0 && !deadline.passed()) {
      LockSupport.parkNanos(1_000_000);
    }
    requests.close();
    background.close();
    parts.gate().close();
  }

  /** Chooses options. Defaults suit a service with a connection pool of about ten. */
  public static final class Builder {
    private final DataSource dataSource;
    private final Supplier<RedisScripts> scripts;
    private Duration timeout = Duration.ofSeconds(2);
    private Duration reservationTimeout = Duration.ofSeconds(10);
    private Duration reconcilePeriod = Duration.ofSeconds(5);
    private Duration soldOutMemory = Duration.ofSeconds(1);
    private @Nullable Integer breakAfter;
    private Duration breakFor = Duration.ofMillis(500);
    private int fallThrough = 0;
    private IssuanceListener listener = new IssuanceListener() {};
    private LedgerSchema schema = LedgerSchema.defaults();
    private int ledgerThreads = 16;
    private int maxInFlight = 10_000;
    private boolean background = true;
    private Supplier<String> tokens = new Tokens();
    private LongSupplier nanoClock = System::nanoTime;
    private RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();

    private Builder(DataSource dataSource, Supplier<RedisScripts> scripts) {
      this.dataSource = dataSource;
      this.scripts = scripts;
    }

    /**
     * How long {@link CouponIssuer#issue} blocks at most, and how long an operation of {@link
     * Coupons} waits for one step of a store.
     *
     * @param time 10 ms to 1 min; default 2 s
     * @throws IllegalArgumentException if it is outside this range
     */
    public Builder timeout(Duration time) {
      timeout = between("timeout", time, Duration.ofMillis(10), Duration.ofMinutes(1));
      return this;
    }

    /**
     * The age at which a reservation is resolved by others. Longer than {@link #timeout}, else
     * owners that are merely slow are fenced off.
     *
     * @param time 0 (at once; for verification) to 1 h; default 10 s
     * @throws IllegalArgumentException if it is outside this range
     */
    public Builder reservationTimeout(Duration time) {
      reservationTimeout = between("reservationTimeout", time, Duration.ZERO, Duration.ofHours(1));
      return this;
    }

    /**
     * How often reservations that are too old are looked for and the books are compared. After the
     * last fault, all is at rest within {@link #reservationTimeout}, this, and a second (R205).
     *
     * @param time 100 ms to 1 h; default 5 s
     * @throws IllegalArgumentException if it is outside this range
     */
    public Builder reconcilePeriod(Duration time) {
      reconcilePeriod =
          between("reconcilePeriod", time, Duration.ofMillis(100), Duration.ofHours(1));
      return this;
    }

    /**
     * How long this instance remembers that a coupon is sold out with nothing that could come back,
     * or that there is no such coupon: for so long one that another instance opens meanwhile is
     * NOT_OPEN here, without a look at the stores.
     *
     * @param time 0 (never) to 1 min; default 1 s
     * @throws IllegalArgumentException if it is outside this range
     */
    public Builder soldOutMemory(Duration time) {
      soldOutMemory = between("soldOutMemory", time, Duration.ZERO, Duration.ofMinutes(1));
      return this;
    }

    /**
     * After how many requests in a row that the gate did not answer no more are sent to it for
     * {@link #breakFor}, so that callers do not queue: they are told UNAVAILABLE at once. An error
     * that the server answers is an answer.
     *
     * @param failures 0 (never) to 1,000; default 5, or 0 where {@link #background} is off
     * @throws IllegalArgumentException if it is outside this range
     */
    public Builder breakAfter(int failures) {
      breakAfter = between("breakAfter", failures, 0, 1_000);
      return this;
    }

    /**
     * How long a gate that did not answer is left alone. Then one request at a time asks it, until
     * one is answered. The Redis client reconnects at a pace of its own: Lettuce waits up to 30 s
     * between attempts unless its {@code ClientResources} say otherwise.
     *
     * @param time 10 ms to 1 min; default 500 ms
     * @throws IllegalArgumentException if it is outside this range
     */
    public Builder breakFor(Duration time) {
      breakFor = between("breakFor", time, Duration.ofMillis(10), Duration.ofMinutes(1));
      return this;
    }

    /**
     * How many requests at a time may go to the ledger directly where the gate does not answer or
     * is missing; those beyond are UNAVAILABLE at once. Stay well below the connections of the
     * pool: what the gate refuses for nothing costs the database a transaction here.
     *
     * @param permits 0 (none) to 1,000; default 0
     * @throws IllegalArgumentException if it is outside this range
     */
    public Builder fallThrough(int permits) {
      fallThrough = between("fallThrough", permits, 0, 1_000);
      return this;
    }

    /**
     * Who is told what happens.
     *
     * @param told default: nobody
     */
    public Builder listener(IssuanceListener told) {
      listener = told;
      return this;
    }

    /**
     * Names of tables and columns.
     *
     * @param names default {@link LedgerSchema#defaults()}
     */
    public Builder schema(LedgerSchema names) {
      schema = names;
      return this;
    }

    /**
     * Threads that wait for the database; a few more than connections in the pool.
     *
     * @param threads 1 to 1,000; default 16
     * @throws IllegalArgumentException if it is outside this range
     */
    public Builder ledgerThreads(int threads) {
      ledgerThreads = between("ledgerThreads", threads, 1, 1_000);
      return this;
    }

    /**
     * Asynchronous requests that may be under way, and reservations that may wait for a thread;
     * those beyond are UNAVAILABLE at once.
     *
     * @param requests 1 to 1,000,000; default 10,000
     * @throws IllegalArgumentException if it is outside this range
     */
    public Builder maxInFlight(int requests) {
      maxInFlight = between("maxInFlight", requests, 1, 1_000_000);
      return this;
    }

    /**
     * Whether background work is done by threads of the issuer. If not, nothing is sent unasked:
     * each call is done wholly on its caller's thread, and confirms, late releases and rebuilds
     * wait for {@link Stockproof#resolve()}. So runs can be repeated exactly. Then the connection
     * timeout of the pool, not {@link #timeout}, bounds the wait for a connection.
     *
     * @param threads default true
     */
    public Builder background(boolean threads) {
      background = threads;
      return this;
    }

    /**
     * Where tokens come from: each 1 to 64 printable ASCII characters without spaces, no two alike
     * among all instances.
     *
     * @param source default: random, and a number
     */
    public Builder tokens(Supplier<String> source) {
      tokens = source;
      return this;
    }

    /**
     * The monotonic clock of deadlines and memories, in nanoseconds.
     *
     * @param clock default {@link System#nanoTime}
     */
    public Builder nanoClock(LongSupplier clock) {
      nanoClock = clock;
      return this;
    }

    /**
     * Randomness of the pauses between attempts; must be safe for use by many threads.
     *
     * @param source default: of the thread
     */
    public Builder random(RandomGenerator source) {
      random = source;
      return this;
    }

    /**
     * Checks the ledger's schema, opens a connection to Redis, loads the scripts there, if the
     * server lets it within {@link #timeout}, and starts threads.
     *
     * @throws IllegalStateException if the schema is not fit: names every reason
     * @throws StoreUnavailableException if a store did not answer; building again is safe
     */
    public Stockproof build() {
      Settings settings =
          new Settings(
              timeout,
              reservationTimeout,
              reconcilePeriod,
              soldOutMemory,
              breakAfter != null ? breakAfter : background ? 5 : 0,
              breakFor,
              fallThrough,
              schema,
              ledgerThreads,
              maxInFlight,
              background,
              listener,
              tokens,
              nanoClock,
              random);
      try {
        JdbcLedger ledger = new JdbcLedger(dataSource, schema, random);
        RedisStockGate gate = new RedisStockGate(scripts.get(), reservationTimeout);
        load(gate);
        return new Stockproof(Parts.of(settings, gate, ledger));
      } catch (LedgerException e) {
        throw new StoreUnavailableException("the database did not answer", e);
      } catch (RedisException e) {
        throw new StoreUnavailableException("Redis did not answer", e);
      }
    }

    /** Where it is refused, or not answered in time, the first requests load what they need. */
    private void load(RedisStockGate gate) {
      try {
        Replies.await(gate.load(), timeout.toNanos());
      } catch (GateException e) {
        LOG.warn("event=scripts-not-loaded reason={}", e.getMessage());
      }
    }

    private static Duration between(String name, Duration value, Duration least, Duration most) {
      if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
        throw new IllegalArgumentException(
            name + " must be " + least + " to " + most + ", was " + value);
      }
      return value;
    }

    private static int between(String name, int value, int least, int most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            name + " must be " + least + " to " + most + ", was " + value);
      }
      return value;
    }
  }
}
