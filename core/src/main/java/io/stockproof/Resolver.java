package io.stockproof;

import io.stockproof.IssuanceListener.Resolution;
import io.stockproof.gate.GateException;
import io.stockproof.gate.Replies;
import io.stockproof.gate.StockGate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the gate, off the callers' path, how reservations ended: confirms in batches, releases. */
final class Resolver {

  private static final Logger log = LoggerFactory.getLogger(Resolver.class);

  /** Beyond this, steps are dropped: their reservations are resolved once they are too old. */
  private static final int MOST_STEPS = 100_000;

  private static final int MOST_AT_ONCE = 4 * StockGate.MAX_USERS;

  /** How often a row without a reservation is told to a gate that is not in service. */
  private static final int MOST_LOOKS = 100;

  private final Parts parts;
  private final StockGate gate;
  private final LinkedBlockingQueue<Step> steps = new LinkedBlockingQueue<>(MOST_STEPS);

  Resolver(Parts parts) {
    this.parts = parts;
    this.gate = parts.gate();
  }

  /** One thing to do at the gate. */
  private sealed interface Step {
    long couponId();
  }

  private record Confirm(long couponId, String userId) implements Step {}

  private record ConfirmUnreserved(long couponId, String userId, int looks) implements Step {}

  private record Release(long couponId, String userId, String token) implements Step {}

  private record Exhausted(long couponId, String userId, String token) implements Step {}

  void confirm(long couponId, String userId) {
    add(new Confirm(couponId, userId));
  }

  /**
   * Confirms a row that was written past the gate. A rebuild under way may have read the rows
   * before this one was there, so a gate that is not in service is told again.
   */
  void confirmUnreserved(long couponId, String userId) {
    add(new ConfirmUnreserved(couponId, userId, 1));
  }

  void release(Request request) {
    add(new Release(request.couponId(), request.userId(), request.token()));
  }

  void exhausted(Request request) {
    add(new Exhausted(request.couponId(), request.userId(), request.token()));
  }

  private void add(Step step) {
    if (!steps.offer(step)) {
      log.debug("event=step-dropped coupon={}", step.couponId());
    }
  }

  boolean idle() {
    return steps.isEmpty();
  }

  /** Does all that waits; false if something of it is to be done again. */
  boolean resolveAll() {
    List<Step> failed = new ArrayList<>();
    List<Step> batch = new ArrayList<>();
    while (steps.drainTo(batch, MOST_AT_ONCE) > 0) {
      failed.addAll(resolve(batch));
      batch.clear();
    }
    failed.forEach(this::add);
    return failed.isEmpty();
  }

  /** Waits for something to do, and does it; false if something is to be done again. */
  boolean resolveNext(long waitMillis) throws InterruptedException {
    Step first = steps.poll(waitMillis, TimeUnit.MILLISECONDS);
    if (first == null) {
      return true;
    }
    List<Step> batch = new ArrayList<>(List.of(first));
    steps.drainTo(batch, MOST_AT_ONCE - 1);
    List<Step> failed = resolve(batch);
    failed.forEach(this::add);
    return failed.isEmpty();
  }

  /** Steps that went out as one script, and what to do with its reply. */
  private record Sent(List<Step> steps, Resolution resolution, CompletableFuture<Boolean> reply) {}

  /** Sends all, then waits for all; returns what is to be done again. */
  private List<Step> resolve(List<Step> batch) {
    List<Sent> sent = new ArrayList<>();
    Map<Long, Set<String>> confirms = new LinkedHashMap<>();
    for (Step step : batch) {
      if (step instanceof Confirm confirm) {
        Set<String> users =
            confirms.computeIfAbsent(confirm.couponId, coupon -> new LinkedHashSet<>());
        users.add(confirm.userId);
        if (users.size() == StockGate.MAX_USERS) {
          confirms.remove(confirm.couponId);
          sent.add(confirms(confirm.couponId, users));
        }
      } else {
        sent.add(send(step));
      }
    }
    confirms.forEach((coupon, users) -> sent.add(confirms(coupon, users)));

    long endNanos = parts.nanoTime() + parts.settings().timeout().toNanos();
    List<Step> again = new ArrayList<>();
    for (Sent one : sent) {
      again.addAll(await(one, endNanos - parts.nanoTime()));
    }
    return again;
  }

  private Sent confirms(long couponId, Set<String> users) {
    List<Step> what = users.stream().<Step>map(user -> new Confirm(couponId, user)).toList();
    return new Sent(what, Resolution.CONFIRMED, gate.confirm(couponId, List.copyOf(users)));
  }

  private Sent send(Step step) {
    if (step instanceof Release release) {
      return new Sent(
          List.of(step),
          Resolution.RELEASED,
          gate.release(release.couponId, release.userId, release.token));
    }
    if (step instanceof Exhausted exhausted) {
      return new Sent(
          List.of(step),
          Resolution.EXHAUSTED,
          gate.exhausted(exhausted.couponId, exhausted.userId, exhausted.token));
    }
    ConfirmUnreserved confirm = (ConfirmUnreserved) step;
    return new Sent(
        List.of(step),
        Resolution.CONFIRMED,
        gate.confirm(confirm.couponId, List.of(confirm.userId)));
  }

  private List<Step> await(Sent sent, long nanos) {
    Step first = sent.steps.get(0);
    try {
      if (Replies.await(sent.reply, nanos)) {
        parts.listener().onResolved(first.couponId(), sent.resolution, sent.steps.size());
      } else if (first instanceof ConfirmUnreserved confirm && confirm.looks < MOST_LOOKS) {
        return List.of(new ConfirmUnreserved(confirm.couponId, confirm.userId, confirm.looks + 1));
      }
      return List.of();
    } catch (GateException e) {
      log.debug("event=resolve-failed steps={} reason={}", sent.steps.size(), e.getMessage());
      return sent.steps;
    }
  }
}
