package io.stockproof.verification.rules;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Histories of a few users in which stores and answers have little to do with each other. */
final class RandomHistory {
  private static final List<String> USERS = List.of("A", "B", "C", "D");
  private static final int MOMENTS = 30;

  private RandomHistory() {}

  static History exact(long seed, long total) {
    Random random = new Random(seed);
    boolean gated = random.nextBoolean();
    List<Call> calls = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      calls.add(call(random, i));
    }
    List<Books> books = books(random, total, gated, calls);
    StoreState atRest = books.get(books.size() - 1).state();
    List<Request> requests = calls.stream().map(c -> new Request(c.userId(), 0)).toList();
    Scenario scenario = new Scenario(Histories.COUPON, total, 1, requests);
    return new History(scenario, false, calls, books, atRest, null);
  }

  private static Call call(Random random, int id) {
    long start = 1L + random.nextInt(MOMENTS - 2);
    long end =
        random.nextInt(10) == 0 ? Call.NEVER : start + 1 + random.nextInt((int) (MOMENTS - start));
    IssueOutcome[] outcomes = IssueOutcome.values();
    IssueOutcome outcome = outcomes[random.nextInt(outcomes.length)];
    boolean silent = end == Call.NEVER || outcome == IssueOutcome.ACCEPTED;
    Boolean wroteRow = random.nextInt(4) == 0 ? random.nextInt(3) == 0 : null;
    String user = USERS.get(random.nextInt(USERS.size()));
    return new Call(
        id,
        Call.Phase.SALE,
        user,
        Histories.COUPON,
        0,
        start,
        end,
        silent ? null : outcome,
        null,
        false,
        null,
        wroteRow);
  }

  /** Rows only grow; users without one come to the gate and leave it. Only those who ask. */
  private static List<Books> books(Random random, long total, boolean gated, List<Call> calls) {
    Map<String, Long> rows = new HashMap<>();
    Set<String> reserved = new HashSet<>();
    List<Books> books = new ArrayList<>();
    for (long moment = 0; moment < MOMENTS; moment += 1 + random.nextInt(5)) {
      books.add(new Books(moment, true, state(rows, reserved, total, gated)));
      Call call = calls.get(random.nextInt(calls.size()));
      if (call.start() > moment) {
        continue;
      }
      String user = call.userId();
      switch (random.nextInt(3)) {
        case 0 -> rows.putIfAbsent(user, 1L);
        case 1 -> reserved.add(user);
        default -> reserved.remove(user);
      }
    }
    return books;
  }

  private static StoreState state(
      Map<String, Long> rows, Set<String> reserved, long total, boolean gated) {
    if (!gated) {
      return new StoreState(rows, rows.size(), StoreState.MISSING, Set.of(), Set.of());
    }
    Set<String> users = new HashSet<>(reserved);
    users.addAll(rows.keySet());
    return new StoreState(rows, rows.size(), total - users.size(), users, Set.of());
  }

  /** What stress would have seen of it: a state here and there, and rows looked up after a call. */
  static History sampledOf(History exact) {
    List<Books> sampled = new ArrayList<>();
    for (int i = 0; i < exact.books().size(); i += 3) {
      Books books = exact.books().get(i);
      sampled.add(new Books(books.moment(), false, books.state()));
    }
    List<Call> calls = exact.calls().stream().map(call -> withLookup(exact, call)).toList();
    return new History(exact.scenario(), false, calls, sampled, exact.atRest(), null);
  }

  private static Call withLookup(History exact, Call call) {
    boolean row = false;
    for (Books books : exact.books()) {
      row |=
          books.moment() <= call.end() + 1 && books.state().rowsByUser().containsKey(call.userId());
    }
    return new Call(
        call.id(),
        call.phase(),
        call.userId(),
        call.couponId(),
        call.instance(),
        call.start(),
        call.end(),
        call.outcome(),
        call.error(),
        call.cutOff(),
        call.end() == Call.NEVER ? null : row,
        call.wroteRow());
  }
}
