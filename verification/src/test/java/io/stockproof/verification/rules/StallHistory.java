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
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Histories about a call that stalls: A asks Redis, Redis loses the key, B asks and writes, A
 * writes; and in each of them some of it otherwise, in another order, or missing.
 */
final class StallHistory {
  private static final int STEPS = 14;

  private final Random random;
  private final List<Wire.Sent> sent = new ArrayList<>();

  private StallHistory(long seed) {
    this.random = new Random(seed);
  }

  static History of(long seed, long total) {
    return new StallHistory(seed).make(total);
  }

  private History make(long total) {
    int loss = 3 + random.nextInt(3);
    story(loss);
    Set<String> keys = one(6) ? Set.of("lock", "users") : Set.of("lock");
    Set<String> absent = one(3) ? Set.of() : Set.of("lock");
    List<Wire.Loss> losses = new ArrayList<>(List.of(new Wire.Loss(loss, keys, absent)));
    if (one(20)) {
      losses.add(new Wire.Loss(loss + 1, keys, absent));
    }
    List<Call> calls = List.of(call(0, "A"), call(1, "B"), call(2, one(4) ? "B" : "C"));
    List<Books> books = books();
    List<Request> requests = calls.stream().map(c -> new Request(c.userId(), 0)).toList();
    return new History(
        new Scenario(Histories.COUPON, total, 1, requests),
        true,
        calls,
        books,
        books.get(books.size() - 1).state(),
        null,
        new Wire(sent, losses, List.of()),
        List.of());
  }

  /** What mostly happens at each step: before the loss, soon after, later. */
  private void story(int loss) {
    for (int step = 1; step < STEPS; step++) {
      boolean before = step < loss;
      boolean soon = step < loss + 6;
      int mostly = before || !soon ? 0 : 1;
      boolean asks = before || step < loss + 2;
      int call = one(5) ? random.nextInt(3) : mostly;
      boolean redis = one(8) != asks;
      add(call, step, redis);
    }
  }

  private void add(int call, int step, boolean redis) {
    Wire.Kind kind = one(3) ? Wire.Kind.READ : one(10) ? Wire.Kind.END : Wire.Kind.WRITE;
    List<String> keys = List.of(one(5) ? "users" : "lock");
    Wire.Fate fate = one(10) ? Wire.Fate.UNANSWERED : Wire.Fate.DONE;
    long done = fate == Wire.Fate.DONE ? step + (one(5) ? random.nextInt(6) : 0) : Call.NEVER;
    sent.add(
        new Wire.Sent(
            call,
            !one(40),
            step,
            done,
            redis ? Wire.Kind.REDIS : kind,
            2 * call + (redis ? 1 : 0),
            false,
            fate,
            redis ? keys : List.of(),
            redis ? "REDIS" : kind.name()));
  }

  private Call call(int id, String user) {
    boolean wrote = !one(4);
    IssueOutcome told = wrote ? IssueOutcome.ISSUED : IssueOutcome.UNAVAILABLE;
    Boolean traced = one(10) ? null : wrote;
    return new Call(
        id, Call.Phase.SALE, user, Histories.COUPON, 0, 0, STEPS, told, null, false, null, traced);
  }

  /** Rows mostly come in the second half; some never. */
  private List<Books> books() {
    List<String> users = new ArrayList<>(List.of("A", "B", "C"));
    Collections.shuffle(users, random);
    Map<String, Long> rows = new HashMap<>();
    List<Books> books = new ArrayList<>();
    for (int moment = 0; moment <= STEPS; moment++) {
      if (!users.isEmpty() && one(moment < STEPS / 2 ? 10 : 2)) {
        rows.put(users.remove(0), 1L);
      }
      StoreState state = new StoreState(rows, rows.size(), StoreState.MISSING, Set.of(), Set.of());
      books.add(new Books(moment, true, state));
    }
    return books;
  }

  private boolean one(int in) {
    return random.nextInt(in) == 0;
  }
}
