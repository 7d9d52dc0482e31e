package io.stockproof.chaos;

import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.stress.PlannedCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * An open-loop load: calls begin at a constant pace, whatever became of those before. One in ten is
 * made by somebody who asked before. The stock ends after the last fault, so that there is
 * something to give in every window, and something to refuse at the end.
 */
final class OpenLoad {
  private static final int REPEATS_ONE_IN = 10;
  private static final int REPEATS_OF_LAST = 200;

  private OpenLoad() {}

  /**
   * The calls of a plan.
   *
   * @param scenario who asks for how much
   * @param calls the same, with the times at which they begin
   */
  record Planned(Scenario scenario, List<PlannedCall> calls) {}

  static Planned plan(long couponId, FaultPlan faults, CampaignSettings settings) {
    int number = Math.toIntExact(settings.duration().toMillis() * settings.ratePerSecond() / 1_000);
    Duration stockEnds = stockEnds(faults, settings);
    Random random = new Random(faults.seed());
    List<Request> requests = new ArrayList<>();
    List<PlannedCall> calls = new ArrayList<>();
    List<String> users = new ArrayList<>();
    long total = 0;
    for (int i = 0; i < number; i++) {
      Duration due = Duration.ofNanos(1_000_000_000L * i / settings.ratePerSecond());
      int instance = random.nextInt(settings.instances());
      String user;
      if (!users.isEmpty() && random.nextInt(REPEATS_ONE_IN) == 0) {
        int back = 1 + random.nextInt(Math.min(users.size(), REPEATS_OF_LAST));
        user = users.get(users.size() - back);
      } else {
        user = Integer.toString(Scenario.FIRST_USER + users.size());
        users.add(user);
        total += due.compareTo(stockEnds) < 0 ? 1 : 0;
      }
      requests.add(new Request(user, instance));
      calls.add(new PlannedCall(Call.Phase.SALE, couponId, user, instance, due));
    }
    Scenario scenario = new Scenario(couponId, Math.max(1, total), settings.instances(), requests);
    return new Planned(scenario, calls);
  }

  private static Duration stockEnds(FaultPlan faults, CampaignSettings settings) {
    Duration calmAtEnd = settings.duration().minus(faults.lastEnd());
    return faults.lastEnd().plus(calmAtEnd.dividedBy(4).multipliedBy(3));
  }
}
