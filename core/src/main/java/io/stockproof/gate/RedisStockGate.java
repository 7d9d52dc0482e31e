package io.stockproof.gate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The gate as Lua scripts over four keys a coupon. */
public final class RedisStockGate implements StockGate {

  /** How long keys stay after the end of the window, so that late questions find their answer. */
  static final Duration GRACE = Duration.ofDays(1);

  /**
   * A rebuild that shows no progress for so long is dead, at the latest. Taking over one that is
   * merely slow costs work, never correctness.
   */
  static final Duration REBUILD_LEASE = Duration.ofSeconds(2);

  private static final String STALE_PAGE = "200";

  private static final Script ACQUIRE = Script.named("acquire");
  private static final Script RELEASE = Script.named("release");
  private static final Script CONFIRM = Script.named("confirm");
  private static final Script EXHAUSTED = Script.named("exhausted");
  private static final Script RENEW = Script.named("renew");
  private static final Script CLOSE = Script.named("close");
  private static final Script INSPECT = Script.named("inspect");
  private static final Script BEGIN = Script.named("rebuild-begin");
  private static final Script INSTALL = Script.named("rebuild-install");
  private static final Script FINISH = Script.named("rebuild-finish");
  private static final Script STALE = Script.named("stale");
  private static final Script SETTLE = Script.named("settle");

  private static final List<Script> ALL =
      List.of(
          ACQUIRE, RELEASE, CONFIRM, EXHAUSTED, RENEW, CLOSE, INSPECT, BEGIN, INSTALL, FINISH,
          STALE, SETTLE);

  private final RedisScripts scripts;
  private final Duration rebuildLease;

  /**
   * Uses the scripts, and closes them with itself.
   *
   * @param scripts how to reach Redis
   * @param reservationTimeout age at which a reservation is resolved, from zero. A rebuild that
   *     shows no progress for so long is dead as well, or the gate would come to rest later than
   *     R205 allows; after 2 s it is in any case
   */
  public RedisStockGate(RedisScripts scripts, Duration reservationTimeout) {
    this.scripts = scripts;
    this.rebuildLease =
        reservationTimeout.compareTo(REBUILD_LEASE) < 0 ? reservationTimeout : REBUILD_LEASE;
  }

  /**
   * Makes the server know the scripts before the first request. A failure does no harm: a script
   * that is not known is sent by its text.
   */
  public CompletableFuture<Void> load() {
    return scripts.load(ALL);
  }

  @Override
  public CompletableFuture<Admission> acquire(long couponId, String userId, String token) {
    return ask(ACQUIRE, couponId, List.of(userId, token), RedisStockGate::admission);
  }

  private static Admission admission(List<String> reply) {
    Admission.Answer answer = Admission.Answer.valueOf(reply.get(0));
    String detail = reply.get(1);
    long epoch = answer == Admission.Answer.ACQUIRED ? Long.parseLong(detail) : -1;
    return new Admission(answer, epoch, detail);
  }

  @Override
  public CompletableFuture<Boolean> release(long couponId, String userId, String token) {
    return ask(RELEASE, couponId, List.of(userId, token), is("RELEASED"));
  }

  @Override
  public CompletableFuture<Boolean> confirm(long couponId, List<String> userIds) {
    return ask(CONFIRM, couponId, atMost(userIds), is("CONFIRMED"));
  }

  @Override
  public CompletableFuture<Boolean> exhausted(long couponId, String userId, String token) {
    return ask(EXHAUSTED, couponId, List.of(userId, token), is("EMPTIED"));
  }

  @Override
  public CompletableFuture<Long> renew(long couponId, String userId, String token) {
    return ask(
        RENEW,
        couponId,
        List.of(userId, token),
        reply -> reply.get(0).equals("RENEWED") ? Long.parseLong(reply.get(1)) : -1L);
  }

  @Override
  public CompletableFuture<Boolean> close(long couponId) {
    return ask(CLOSE, couponId, List.of(), is("CLOSED"));
  }

  @Override
  public CompletableFuture<GateBooks> inspect(long couponId) {
    return ask(
        INSPECT,
        couponId,
        List.of(),
        reply ->
            new GateBooks(
                GateBooks.Condition.valueOf(reply.get(0)),
                reply.get(1),
                Long.parseLong(reply.get(2)),
                Long.parseLong(reply.get(3)),
                Long.parseLong(reply.get(4)),
                Long.parseLong(reply.get(5))));
  }

  @Override
  public CompletableFuture<Boolean> begin(long couponId, String rebuildId, long decidedAtEpoch) {
    return ask(
        BEGIN,
        CouponKeys.ofRebuild(couponId),
        List.of(rebuildId, millis(rebuildLease), millis(GRACE), Long.toString(decidedAtEpoch)),
        is("BEGUN"));
  }

  @Override
  public CompletableFuture<Boolean> install(long couponId, String rebuildId, List<String> userIds) {
    List<String> args = new ArrayList<>(userIds.size() + 2);
    args.add(rebuildId);
    args.add(millis(rebuildLease));
    args.addAll(atMost(userIds));
    return ask(INSTALL, CouponKeys.ofRebuild(couponId), args, is("INSTALLED"));
  }

  @Override
  public CompletableFuture<Boolean> finish(
      long couponId, String rebuildId, long rows, GateSpec spec) {
    return ask(
        FINISH,
        CouponKeys.ofRebuild(couponId),
        List.of(
            rebuildId,
            Long.toString(rows),
            Long.toString(spec.total()),
            Long.toString(spec.opensAtMillis()),
            Long.toString(spec.closesAtMillis()),
            Long.toString(spec.epoch()),
            spec.open() ? "OPEN" : "CLOSED",
            millis(GRACE)),
        is("BUILT"));
  }

  @Override
  public CompletableFuture<StaleScan> stale(long couponId, long ageMillis, String cursor) {
    return ask(
        STALE,
        couponId,
        List.of(Long.toString(ageMillis), cursor, STALE_PAGE),
        reply -> {
          List<Stale> found = new ArrayList<>();
          for (int i = 2; i + 1 < reply.size(); i += 2) {
            found.add(new Stale(reply.get(i), reply.get(i + 1)));
          }
          return new StaleScan(reply.get(1), found);
        });
  }

  @Override
  public CompletableFuture<Long> settle(long couponId, long epoch, List<Settlement> settlements) {
    List<String> args = new ArrayList<>(settlements.size() * 3 + 1);
    args.add(Long.toString(epoch));
    for (Settlement settlement : settlements) {
      args.add(settlement.userId());
      args.add(settlement.token());
      args.add(settlement.row() ? "1" : "0");
    }
    return ask(
        SETTLE,
        couponId,
        args,
        reply -> reply.get(0).equals("SETTLED") ? Long.parseLong(reply.get(1)) : -1L);
  }

  @Override
  public void close() {
    scripts.close();
  }

  private <T> CompletableFuture<T> ask(
      Script script, long couponId, List<String> args, Function<List<String>, T> reading) {
    return ask(script, CouponKeys.of(couponId), args, reading);
  }

  private <T> CompletableFuture<T> ask(
      Script script, List<String> keys, List<String> args, Function<List<String>, T> reading) {
    CompletableFuture<List<String>> reply = scripts.eval(script, keys, args);
    CompletableFuture<T> read = reply.thenApply(reading);
    // Whoever gives up waiting cancels what was read; the script itself must hear of it.
    var unused =
        read.whenComplete(
            (answer, error) -> {
              if (read.isCancelled()) {
                reply.cancel(false);
              }
            });
    return read;
  }

  private static Function<List<String>, Boolean> is(String word) {
    return reply -> reply.get(0).equals(word);
  }

  private static List<String> atMost(List<String> userIds) {
    if (userIds.isEmpty() || userIds.size() > MAX_USERS) {
      throw new IllegalArgumentException(
          "users must be 1 to " + MAX_USERS + " at once, were " + userIds.size());
    }
    return userIds;
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }
}
