package io.stockproof.verification.rules;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import io.stockproof.verification.history.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Histories of a whole run, sale, rest and probes, in which anything may be said and anything may
 * be in the stores: rows of several kinds of users, counters that drift, gates below zero. Rows
 * alone never go away. Beside it a second coupon, an operator who opens again, two instances, a
 * coupon that is not on sale, bad input, and a wire, in some of them.
 */
final class WildHistory {
  private static final List<String> USERS = List.of("A", "B", "C");
  private static final List<String> FRESH = List.of("X", "Y");
  private static final int SALE = 20;
  private static final int PROBES = 10;

  private final Random random;
  private final long total;
  private final boolean gated;
  private final boolean tidy;
  private final int instances;
  private final Scenario.Window window;

  /** Whether nothing is given and nobody is told so. */
  private final boolean quiet;

  /** Whether it is known which calls wrote a row; most are told so then. */
  private final boolean traced;

  private final List<Call> calls = new ArrayList<>();
  private final List<Books> books = new ArrayList<>();
  private final Map<String, Long> rows = new HashMap<>();
  private final Set<String> members = new HashSet<>();
  private final Set<String> reserved = new HashSet<>();

  private WildHistory(long seed, long total) {
    this.random = new Random(seed);
    this.total = total;
    this.gated = random.nextBoolean();
    this.tidy = random.nextBoolean();
    this.instances = 1 + random.nextInt(2);
    this.window = one(4) ? one(Scenario.Window.values()) : Scenario.Window.OPEN;
    this.quiet = window != Scenario.Window.OPEN && one(2);
    this.traced = one(3);
  }

  static History of(long seed, long total) {
    return new WildHistory(seed, total).make();
  }

  private History make() {
    int asked = random.nextInt(6);
    for (int i = 0; i < asked; i++) {
      call(Call.Phase.SALE, user(USERS), 1 + random.nextInt(SALE - 2), SALE);
    }
    asides();
    Wire wire = one(4) ? null : new WildWire(random, SALE, calls).make();
    fill(0, SALE);
    StoreState atRest = one(8) ? null : state();
    StoreState afterProbes = null;
    if (atRest != null) {
      books.add(new Books(SALE, true, atRest));
      int probes = random.nextInt(5);
      for (int i = 0; i < probes; i++) {
        boolean fresh = random.nextBoolean();
        call(
            fresh ? Call.Phase.FRESH : Call.Phase.ASKS_AGAIN,
            user(fresh ? FRESH : USERS),
            SALE + 1 + random.nextInt(PROBES - 2),
            SALE + PROBES);
      }
      fill(SALE + 1, SALE + PROBES);
      afterProbes = one(6) ? null : state();
    }
    List<Request> requests = calls.stream().map(c -> new Request(c.userId(), 0)).toList();
    Scenario scenario = new Scenario(Histories.COUPON, total, instances, requests, window);
    return new History(
        scenario, one(2), calls, books, atRest, afterProbes, wire, WildInput.some(random));
  }

  /** Calls beside the sale: for another coupon, and of the operator. */
  private void asides() {
    for (int i = one(3) ? 1 + random.nextInt(2) : 0; i > 0; i--) {
      int start = 1 + random.nextInt(SALE - 2);
      add(Call.Phase.SALE, user(USERS), Histories.OTHER_COUPON, start, start + 1L, outcome());
    }
    for (int i = one(4) ? 1 + random.nextInt(2) : 0; i > 0; i--) {
      int start = 1 + random.nextInt(SALE - 2);
      long end = one(4) ? Call.NEVER : start + 1L;
      add(Call.Phase.OPENS_AGAIN, "operator", Histories.COUPON, start, end, null);
    }
    for (int i = one(4) ? 1 : 0; i > 0; i--) {
      int start = 1 + random.nextInt(SALE - 2);
      long end = one(4) ? Call.NEVER : start + 1L + random.nextInt(SALE - start);
      add(Call.Phase.RECOVERS, "rebuild", Histories.COUPON, start, end, null);
    }
  }

  private void add(
      Call.Phase phase,
      String user,
      long coupon,
      long start,
      long end,
      @Nullable IssueOutcome outcome) {
    String error = outcome == null && end != Call.NEVER && one(4) ? "boom" : null;
    int id = calls.size();
    int instance = random.nextInt(instances);
    calls.add(
        new Call(id, phase, user, coupon, instance, start, end, outcome, error, false, null, null));
  }

  private boolean one(int in) {
    return random.nextInt(in) == 0;
  }

  private <T> T one(T[] values) {
    return values[random.nextInt(values.length)];
  }

  private String user(List<String> users) {
    return users.get(random.nextInt(users.size()));
  }

  private void call(Call.Phase phase, String user, int start, int before) {
    boolean cutOff = phase == Call.Phase.SALE && one(8);
    boolean hangs = !cutOff && one(15);
    boolean throwsUp = !cutOff && !hangs && one(8);
    long end = hangs ? Call.NEVER : start + 1L + random.nextInt(before - start);
    boolean silent = cutOff || hangs || throwsUp;
    IssueOutcome outcome = silent ? null : outcome();
    boolean mayHaveWritten = outcome == null || outcome == IssueOutcome.ISSUED;
    Boolean wroteRow = one(4) ? (Boolean) one(3) : null;
    if (traced && mayHaveWritten) {
      wroteRow = !one(3);
    }
    calls.add(
        new Call(
            calls.size(),
            phase,
            user,
            Histories.COUPON,
            random.nextInt(instances),
            start,
            end,
            outcome,
            throwsUp ? "boom" : null,
            cutOff,
            null,
            wroteRow));
  }

  private @Nullable IssueOutcome outcome() {
    if (quiet) {
      return one(4) ? IssueOutcome.UNAVAILABLE : IssueOutcome.NOT_OPEN;
    }
    return traced && one(2) ? IssueOutcome.ISSUED : one(IssueOutcome.values());
  }

  private void fill(int from, int to) {
    for (int moment = from; moment < to; moment += 1 + random.nextInt(4)) {
      books.add(new Books(moment, true, state()));
      if (quiet) {
        continue;
      }
      String user = one(6) ? user(FRESH) : user(USERS);
      switch (random.nextInt(5)) {
        case 0 -> rows.merge(user, 1L, (old, more) -> one(3) ? old + 1 : old);
        case 1 -> members.add(user);
        case 2 -> reserved.add(user);
        case 3 -> members.remove(user);
        default -> reserved.remove(user);
      }
    }
  }

  private StoreState state() {
    long counted = rows.values().stream().mapToLong(Long::longValue).sum();
    long counter = one(12) && !tidy ? counted + 1 : one(20) ? -1 : counted;
    if (!gated) {
      return new StoreState(rows, counter, StoreState.MISSING, Set.of(), Set.of());
    }
    if (tidy) {
      return new StoreState(rows, counted, Math.max(0, total - counted), rows.keySet(), Set.of());
    }
    long stock = one(10) ? StoreState.MISSING : total - members.size() - random.nextInt(2);
    return new StoreState(rows, counter, stock, members, reserved);
  }
}
