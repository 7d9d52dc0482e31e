package io.stockproof;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.RedisClusterClient;
import io.stockproof.gate.Admission;
import io.stockproof.gate.GateException;
import io.stockproof.gate.RedisScripts;
import io.stockproof.gate.RedisStockGate;
import io.stockproof.gate.Replies;
import io.stockproof.gate.StockGate;
import io.stockproof.ledger.Deadline;
import io.stockproof.ledger.IssuanceLedger;
import io.stockproof.ledger.JdbcLedger;
import io.stockproof.ledger.LedgerException;
import io.stockproof.ledger.LedgerSchema;
import io.stockproof.recovery.Rebuilder;
import io.stockproof.recovery.Reconciler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

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

  private final Settings settings;
  private final StockGate gate;
  private final RefusalMemory memory;
  private final Background background;
  private final IssueFlow flow;
  private final StoredCoupons coupons;
  private final Workers workers;
  private final AtomicInteger inFlight = new AtomicInteger();
  private volatile boolean closed;

  private Stockproof(Settings settings, StockGate gate, IssuanceLedger ledger) {
    LongSupplier nanoClock = settings.nanoClock();
    this.settings = settings;
    this.gate = gate;
    this.memory = new RefusalMemory(settings.soldOutMemory(), nanoClock);
    Rebuilder rebuilder =
        new Rebuilder(gate, ledger, settings.tokens().get(), settings.timeout(), nanoClock);
    Reconciler reconciler =
        new Reconciler(gate, ledger, settings.reservationTimeout(), settings.timeout(), nanoClock);
    this.background =
        new Background(
            gate,
            ledger,
            rebuilder,
            reconciler,
            memory,
            settings.timeout(),
            settings.reconcilePeriod(),
            nanoClock);
    this.flow = new IssueFlow(gate, ledger, memory, background, nanoClock);
    this.coupons =
        new StoredCoupons(
            gate, ledger, rebuilder, reconciler, memory, settings.timeout(), nanoClock);
    this.workers = new Workers(settings.ledgerThreads(), settings.maxInFlight());
    if (settings.background()) {
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
    IssueOutcome known = memory.recall(couponId);
    if (known != null) {
      return known;
    }
    enter();
    try {
      Request request = request(couponId, userId);
      if (!settings.background()) {
        return onThisThread(request);
      }
      CompletableFuture<IssueOutcome> told = new CompletableFuture<>();
      CompletableFuture<Admission> admission = start(request, told);
      return await(request, admission, told);
    } finally {
      inFlight.decrementAndGet();
    }
  }

  @Override
  public CompletionStage<IssueOutcome> issueAsync(long couponId, String userId) {
    check(couponId, userId);
    IssueOutcome known = memory.recall(couponId);
    if (known != null || !settings.background()) {
      return CompletableFuture.completedFuture(known != null ? known : issue(couponId, userId));
    }
    if (enter() > settings.maxInFlight()) {
      inFlight.decrementAndGet();
      return CompletableFuture.completedFuture(IssueOutcome.UNAVAILABLE);
    }
    Request request = request(couponId, userId);
    CompletableFuture<IssueOutcome> told = new CompletableFuture<>();
    CompletableFuture<Admission> admission = start(request, told);
    ScheduledFuture<?> timer =
        workers.after(settings.timeout(), () -> told.complete(leave(request, admission)));
    return told.whenComplete(
        (outcome, error) -> {
          timer.cancel(false);
          inFlight.decrementAndGet();
        });
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
    Deadline deadline = Deadline.in(settings.timeout(), settings.nanoClock());
    return new Request(couponId, userId, settings.tokens().get(), deadline);
  }

  private IssueOutcome onThisThread(Request request) {
    Admission admission;
    try {
      admission = Replies.await(flow.ask(request), request.deadline().remainingNanos());
    } catch (GateException e) {
      return flow.unanswered(request, e);
    }
    IssueOutcome refusal = flow.refusal(request, admission);
    if (refusal != null) {
      return refusal;
    }
    request.reserved();
    return flow.finish(request, admission);
  }

  private CompletableFuture<Admission> start(
      Request request, CompletableFuture<IssueOutcome> told) {
    CompletableFuture<Admission> admission = flow.ask(request);
    var unused = admission.whenComplete((answer, error) -> answered(request, answer, error, told));
    return admission;
  }

  /** On the thread of the Redis client, which must not block. */
  private void answered(
      Request request,
      @Nullable Admission admission,
      @Nullable Throwable error,
      CompletableFuture<IssueOutcome> told) {
    if (admission == null) {
      if (request.leave() == Request.Phase.ASKING && error != null) {
        told.complete(flow.unanswered(request, Replies.failure(error)));
      }
      return;
    }
    IssueOutcome refusal = flow.refusal(request, admission);
    if (refusal != null) {
      told.complete(refusal);
      return;
    }
    // If the caller has left, a release is on its way.
    if (request.reserved()) {
      try {
        workers.execute(() -> told.complete(flow.finish(request, admission)));
      } catch (RejectedExecutionException e) {
        background.release(request);
        told.complete(IssueOutcome.UNAVAILABLE);
      }
    }
  }

  private IssueOutcome await(
      Request request,
      CompletableFuture<Admission> admission,
      CompletableFuture<IssueOutcome> told) {
    try {
      return told.get(Math.max(0, request.deadline().remainingNanos()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return leave(request, admission);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return leave(request, admission);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a bug in the issuer", e.getCause());
    }
  }

  /** The time is over. What can be told depends on whether a COMMIT is under way. */
  private IssueOutcome leave(Request request, CompletableFuture<Admission> admission) {
    Request.Phase phase = request.leave();
    if (phase == Request.Phase.COMMITTING) {
      return IssueOutcome.UNKNOWN;
    }
    // First, so that an acquire that was not sent never follows the release.
    admission.cancel(false);
    background.release(request);
    return IssueOutcome.UNAVAILABLE;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    // Every request ends by its deadline.
    Deadline deadline = Deadline.in(settings.timeout().multipliedBy(2), System::nanoTime);
    while (inFlight.get() > 0 && !deadline.passed()) {
      LockSupport.parkNanos(1_000_000);
    }
    workers.close();
    background.close();
    gate.close();
  }

  /** Chooses options. Defaults suit a service with a connection pool of about ten. */
  public static final class Builder {
    private final DataSource dataSource;
    private final Supplier<RedisScripts> scripts;
    private Duration timeout = Duration.ofSeconds(2);
    private Duration reservationTimeout = Duration.ofSeconds(10);
    private Duration reconcilePeriod = Duration.ofSeconds(5);
    private Duration soldOutMemory = Duration.ofSeconds(1);
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
     * or that there is no such coupon.
     *
     * @param time 0 (never) to 1 min; default 1 s
     * @throws IllegalArgumentException if it is outside this range
     */
    public Builder soldOutMemory(Duration time) {
      soldOutMemory = between("soldOutMemory", time, Duration.ZERO, Duration.ofMinutes(1));
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
      ledgerThreads = between("ledgerThreads", threads, 1_000);
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
      maxInFlight = between("maxInFlight", requests, 1_000_000);
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
     * Checks the ledger's schema, opens a connection to Redis and starts threads.
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
              schema,
              ledgerThreads,
              maxInFlight,
              background,
              tokens,
              nanoClock,
              random);
      try {
        JdbcLedger ledger = new JdbcLedger(dataSource, schema, random);
        StockGate gate = new RedisStockGate(scripts.get(), reservationTimeout);
        return new Stockproof(settings, gate, ledger);
      } catch (LedgerException e) {
        throw new StoreUnavailableException("the database did not answer", e);
      } catch (RedisException e) {
        throw new StoreUnavailableException("Redis did not answer", e);
      }
    }

    private static Duration between(String name, Duration value, Duration least, Duration most) {
      if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
        throw new IllegalArgumentException(
            name + " must be " + least + " to " + most + ", was " + value);
      }
      return value;
    }

    private static int between(String name, int value, int most) {
      if (value < 1 || value > most) {
        throw new IllegalArgumentException(name + " must be 1 to " + most + ", was " + value);
      }
      return value;
    }
  }
}
