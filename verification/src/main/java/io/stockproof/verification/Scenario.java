package io.stockproof.verification;

import java.util.ArrayList;
import java.util.List;

/**
 * Who asks for how much: the stock, the requests and the instances they go to.
 *
 * @param couponId the coupon; differs from run to run, so that nothing of an earlier run is met
 *     again
 * @param total units on sale, 1 or more
 * @param instances application instances, 1 or more
 * @param requests the calls, all to be made at the same time as far as threads allow
 * @param window how the time of the calls lies to the sale
 */
public record Scenario(
    long couponId, long total, int instances, List<Request> requests, Window window) {

  /** How the time of the calls lies to the window of the coupon (R601). */
  public enum Window {
    /** The coupon is on sale. */
    OPEN,
    /** It opens in years. */
    NOT_YET,
    /** It ended years ago. */
    OVER,
    /** It was closed within its window. */
    CLOSED,
    /** There is no such coupon. */
    UNKNOWN
  }

  /** User id of the first requester; the next has the next number. */
  public static final int FIRST_USER = 100;

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if a number is outside its range or a request names no
   *     instance
   */
  public Scenario {
    requests = List.copyOf(requests);
    if (total < 1) {
      throw new IllegalArgumentException("stock must be 1 or more, was " + total);
    }
    if (instances < 1) {
      throw new IllegalArgumentException("instances must be 1 or more, was " + instances);
    }
    for (Request request : requests) {
      if (request.instance() < 0 || request.instance() >= instances) {
        throw new IllegalArgumentException(
            "request of user "
                + request.userId()
                + " names instance "
                + request.instance()
                + " of "
                + instances);
      }
    }
  }

  /** On sale. */
  public Scenario(long couponId, long total, int instances, List<Request> requests) {
    this(couponId, total, instances, requests, Window.OPEN);
  }

  /** Different users with one request each, dealt to the instances in turn. */
  public static Scenario users(long couponId, int users, long total, int instances) {
    List<Request> requests = new ArrayList<>(users);
    for (int i = 0; i < users; i++) {
      requests.add(new Request(Integer.toString(FIRST_USER + i), i % instances));
    }
    return new Scenario(couponId, total, instances, requests);
  }

  /** One user who asks many times, dealt to the instances in turn. */
  public static Scenario sameUser(long couponId, int times, long total, int instances) {
    List<Request> requests = new ArrayList<>(times);
    for (int i = 0; i < times; i++) {
      requests.add(new Request(Integer.toString(FIRST_USER), i % instances));
    }
    return new Scenario(couponId, total, instances, requests);
  }

  /** The same scenario on another coupon. */
  public Scenario withCoupon(long otherCouponId) {
    return new Scenario(otherCouponId, total, instances, requests, window);
  }

  /** The same scenario at another time. */
  public Scenario when(Window other) {
    return new Scenario(couponId, total, instances, requests, other);
  }

  /** The same scenario with other calls. */
  public Scenario withRequests(List<Request> others) {
    return new Scenario(couponId, total, instances, others, window);
  }
}
