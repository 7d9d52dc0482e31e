package io.stockproof.verification.rules;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.history.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Bad inputs that are refused as they should be, and some that are not. */
final class WildInput {
  private WildInput() {}

  static List<BadInput> some(Random random) {
    List<BadInput> inputs = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      inputs.add(one(random));
    }
    return inputs;
  }

  private static BadInput one(Random random) {
    String parameter = random.nextBoolean() ? "user" : "coupon";
    if (random.nextInt(10) == 0) {
      IssueOutcome told = random.nextBoolean() ? IssueOutcome.ISSUED : null;
      return new BadInput("x", parameter, told, told == null ? parameter : null, false, 0, false);
    }
    String[] messages = {"User id is too long", "Coupon id must be 1 or more", "bad " + parameter};
    String message = random.nextInt(10) == 0 ? null : messages[random.nextInt(messages.length)];
    long commands = random.nextInt(10) == 0 ? 1 : 0;
    return new BadInput("x", parameter, null, message, true, commands, random.nextInt(10) == 0);
  }
}
