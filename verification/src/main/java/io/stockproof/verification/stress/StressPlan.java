package io.stockproof.verification.stress;

import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/**
 * What is sold at the same time: one coupon, or two beside one another.
 *
 * @param title for people
 * @param scenarios makes the scenarios from the id of the first coupon; all with the same instances
 */
public record StressPlan(String title, LongFunction<List<Scenario>> scenarios) {

  private static final int BUYERS_OF_OTHER_COUPON = 40;

  /** The plans of the articles, and those that the remaining rules need. */
  public static List<StressPlan> all(int instances) {
    return List.of(
        single("1,000 requests for stock 100", id -> Scenario.users(id, 1000, 100, instances)),
        single("one user 100 times", id -> Scenario.sameUser(id, 100, 120, instances)),
        single("300 users on stock 50", id -> Scenario.users(id, 300, 50, instances)),
        single("60 users twice on stock 100", id -> everyoneTwice(id, 60, 100, instances)),
        new StressPlan("two coupons at once", id -> twoCoupons(id, instances)));
  }

  private static StressPlan single(String title, LongFunction<Scenario> scenario) {
    return new StressPlan(title, id -> List.of(scenario.apply(id)));
  }

  private static Scenario everyoneTwice(long couponId, int users, long total, int instances) {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 2 * users; i++) {
      String user = Integer.toString(Scenario.FIRST_USER + i / 2);
      requests.add(new Request(user, i % instances));
    }
    return new Scenario(couponId, total, instances, requests);
  }

  /** Half of the buyers of one want the other too. */
  private static List<Scenario> twoCoupons(long couponId, int instances) {
    List<Request> others = new ArrayList<>();
    for (int i = 0; i < BUYERS_OF_OTHER_COUPON; i++) {
      String user = Integer.toString(Scenario.FIRST_USER + BUYERS_OF_OTHER_COUPON / 2 + i);
      others.add(new Request(user, i % instances));
    }
    return List.of(
        Scenario.users(couponId, BUYERS_OF_OTHER_COUPON, 20, instances),
        new Scenario(couponId + 1, 30, instances, others));
  }
}
