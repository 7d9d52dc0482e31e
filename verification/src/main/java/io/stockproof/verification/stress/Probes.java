package io.stockproof.verification.stress;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Call;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Whom to ask at rest, and for what (R202, R305, R307). */
public final class Probes {
  private static final int HOLDERS = 6;
  private static final int REFUSED = 4;
  private static final int FIRST_FRESH_USER = 1_000_000;

  private Probes() {}

  /** Some holders, and some who have nothing: first those who were told to ask again. */
  public static List<PlannedCall> asksAgain(Scenario scenario, List<Call> sale, StoreState atRest) {
    Predicate<Call> holder = call -> atRest.rowsByUser().containsKey(call.userId());
    Predicate<Call> retryable = call -> call.outcome() == null || !call.outcome().isFinal();
    Set<String> users = new LinkedHashSet<>();
    users.addAll(users(sale.stream().filter(holder), HOLDERS));
    users.addAll(users(sale.stream().filter(holder.negate().and(retryable)), REFUSED));
    users.addAll(users(sale.stream().filter(holder.negate().and(retryable.negate())), REFUSED));
    return planned(scenario, users, Call.Phase.ASKS_AGAIN);
  }

  private static List<String> users(Stream<Call> calls, int most) {
    return calls.map(Call::userId).distinct().limit(most).toList();
  }

  /** One more than what is left, as long as that is not too many. */
  public static List<PlannedCall> fresh(Scenario scenario, StoreState atRest, int most) {
    long left = Math.max(0, scenario.total() - atRest.rows());
    Set<String> users = new LinkedHashSet<>();
    for (int i = 0; i < Math.min(left + 1, most); i++) {
      users.add(Integer.toString(FIRST_FRESH_USER + i));
    }
    return planned(scenario, users, Call.Phase.FRESH);
  }

  /** Those whose answer was: ask again. */
  public static List<PlannedCall> retries(List<Call> made) {
    List<PlannedCall> retries = new ArrayList<>();
    for (Call call : made) {
      if (call.outcome() == IssueOutcome.UNAVAILABLE || call.outcome() == IssueOutcome.UNKNOWN) {
        retries.add(new PlannedCall(call.phase(), call.couponId(), call.userId(), call.instance()));
      }
    }
    return retries;
  }

  private static List<PlannedCall> planned(Scenario scenario, Set<String> users, Call.Phase phase) {
    List<PlannedCall> calls = new ArrayList<>();
    for (String user : users) {
      int instance = calls.size() % scenario.instances();
      calls.add(new PlannedCall(phase, scenario.couponId(), user, instance));
    }
    return calls;
  }
}
