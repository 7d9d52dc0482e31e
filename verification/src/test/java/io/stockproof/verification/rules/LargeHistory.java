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
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a stress run of a good issuer looks like, of any size: 50 callers at a time, one unit for
 * ten requests, every fifth user asks twice, the books looked at 20 times.
 */
final class LargeHistory {
  private static final int CALLERS = 50;
  private static final int LOOKS = 20;

  private LargeHistory() {}

  static History of(int requests) {
    int total = Math.max(1, requests / 10);
    List<Call> calls = new ArrayList<>(requests + LOOKS);
    List<Books> books = new ArrayList<>();
    Map<String, Long> rows = new HashMap<>();
    for (int i = 0; i < requests; i++) {
      if (i % Math.max(1, requests / LOOKS) == 0) {
        books.add(new Books(2L * i, false, state(rows, total)));
      }
      String user = user(i);
      IssueOutcome outcome = IssueOutcome.SOLD_OUT;
      if (rows.containsKey(user)) {
        outcome = IssueOutcome.DUPLICATE;
      } else if (rows.size() < total) {
        rows.put(user, 1L);
        outcome = IssueOutcome.ISSUED;
      }
      calls.add(call(calls.size(), Call.Phase.SALE, user, 2L * i, outcome));
    }
    StoreState atRest = state(rows, total);
    for (int i = 0; i < LOOKS; i++) {
      long start = 2L * (requests + CALLERS) + 3L * CALLERS * i;
      String user = user(i);
      IssueOutcome told = rows.containsKey(user) ? IssueOutcome.DUPLICATE : IssueOutcome.SOLD_OUT;
      calls.add(call(calls.size(), Call.Phase.ASKS_AGAIN, user, start, told));
    }
    List<Request> asked = calls.stream().map(c -> new Request(c.userId(), c.instance())).toList();
    Scenario scenario = new Scenario(Histories.COUPON, total, 2, asked);
    return new History(scenario, false, calls, books, atRest, atRest);
  }

  private static String user(int request) {
    return Integer.toString(request % 10 < 8 ? request : request - 2);
  }

  private static Call call(int id, Call.Phase phase, String user, long start, IssueOutcome told) {
    boolean row = told == IssueOutcome.ISSUED || told == IssueOutcome.DUPLICATE;
    return new Call(
        id,
        phase,
        user,
        Histories.COUPON,
        id % 2,
        start,
        start + 2L * CALLERS,
        told,
        null,
        false,
        row ? true : null,
        null);
  }

  private static StoreState state(Map<String, Long> rows, int total) {
    return new StoreState(rows, rows.size(), total - rows.size(), rows.keySet(), Set.of());
  }
}
