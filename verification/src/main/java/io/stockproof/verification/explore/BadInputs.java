package io.stockproof.verification.explore;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.Subject;
import io.stockproof.verification.history.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls with input that an issuer which checks its input must refuse (R603). Used by one thread.
 */
final class BadInputs {

  private static final String USER = "777";
  private static final int ONE_TOO_LONG = 65;

  private final Subject.Instance instance;
  private final long couponId;
  private final LongSupplier commands;
  private final List<BadInput> tried = new ArrayList<>();

  /**
   * Prepares the calls.
   *
   * @param couponId a coupon that exists
   * @param commands counts what has gone to the stores so far
   */
  BadInputs(Subject.Instance instance, long couponId, LongSupplier commands) {
    this.instance = instance;
    this.couponId = couponId;
    this.commands = commands;
  }

  /**
   * Makes one call after the other.
   *
   * @param before the stores at rest
   * @param look reads the stores
   */
  List<BadInput> tryAll(StoreState before, Callable<StoreState> look) throws Exception {
    user("null", null);
    user("an empty user id", "");
    user("a user id of 65 characters", "x".repeat(ONE_TOO_LONG));
    user("a user id with a space", "7 7");
    user("a user id beyond ASCII", "7\u00e9");
    coupon(0);
    coupon(-1);
    if (look.call().equals(before)) {
      return tried;
    }
    return tried.stream().map(BadInputs::changed).toList();
  }

  private void user(String given, @Nullable String userId) {
    make(given, "user", () -> issue(couponId, userId));
  }

  private void coupon(long id) {
    make("coupon id " + id, "coupon", () -> issue(id, USER));
  }

  /** Null is what a caller may pass whatever the annotations say. */
  @SuppressWarnings("NullAway")
  private IssueOutcome issue(long id, @Nullable String userId) throws Exception {
    return instance.issue(id, userId);
  }

  private void make(String given, String parameter, Callable<IssueOutcome> call) {
    long before = commands.getAsLong();
    IssueOutcome told = null;
    String error = null;
    boolean refused = false;
    try {
      told = call.call();
    } catch (Exception thrown) {
      error = thrown.getMessage();
      refused =
          thrown instanceof IllegalArgumentException
              || (thrown instanceof NullPointerException && given.equals("null"));
    }
    tried.add(
        new BadInput(given, parameter, told, error, refused, commands.getAsLong() - before, false));
  }

  private static BadInput changed(BadInput input) {
    return new BadInput(
        input.given(),
        input.parameter(),
        input.told(),
        input.error(),
        input.refused(),
        input.commands(),
        true);
  }
}
