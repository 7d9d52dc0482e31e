package io.stockproof.verification.rules;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.history.BadInput;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import java.util.List;
import java.util.Locale;

/** R601 and R603: calls that must have no effect. */
final class WindowRules {
  private WindowRules() {}

  static Finding nothingOutsideWindow(Evidence evidence) {
    Scenario.Window window = evidence.history().scenario().window();
    if (window == Scenario.Window.OPEN) {
      return Finding.notReached(Rule.R601, "the coupon was on sale");
    }
    String when = window.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    for (Books books : evidence.states()) {
      if (books.state().rows() > 0) {
        return Finding.violated(
            Rule.R601, books.state().rows() + " rows, the coupon is " + when, books.moment());
      }
    }
    int told = 0;
    for (Call call : evidence.calls()) {
      if (call.outcome() == IssueOutcome.NOT_OPEN) {
        told++;
      } else if (call.outcome() != null && call.outcome().isFinal()) {
        return Finding.violated(
            Rule.R601,
            "user " + call.userId() + " told " + call.outcome() + ", the coupon is " + when,
            call.end());
      }
    }
    return told == 0
        ? Finding.notReached(Rule.R601, "nobody was told NOT_OPEN")
        : Finding.pass(Rule.R601, told + " calls told NOT_OPEN");
  }

  static Finding badInputHasNoEffect(Evidence evidence) {
    List<BadInput> tried = evidence.history().badInputs();
    for (BadInput input : tried) {
      String broken = broken(input);
      if (!broken.isEmpty()) {
        return Finding.violated(Rule.R603, input.given() + ": " + broken);
      }
    }
    return tried.isEmpty()
        ? Finding.notReached(Rule.R603, "no bad input was tried")
        : Finding.pass(Rule.R603, tried.size() + " kinds of bad input");
  }

  private static String broken(BadInput input) {
    if (!input.refused()) {
      return input.told() != null ? "told " + input.told() : "threw " + input.error();
    }
    if (input.changed()) {
      return "the stores have changed";
    }
    if (input.commands() > 0) {
      return input.commands() + " commands were sent before it was refused";
    }
    String message = input.error() == null ? "" : input.error().toLowerCase(Locale.ROOT);
    return message.contains(input.parameter()) ? "" : "its message does not name it";
  }
}
