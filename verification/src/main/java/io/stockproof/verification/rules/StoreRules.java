package io.stockproof.verification.rules;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** R101 to R105: what the stores hold at every moment. */
final class StoreRules {
  private StoreRules() {}

  static Finding neverMoreRowsThanStock(Evidence evidence) {
    long total = evidence.total();
    Optional<Books> broken =
        evidence.states().stream().filter(books -> books.state().rows() > total).findFirst();
    if (broken.isPresent()) {
      long most = evidence.states().stream().mapToLong(b -> b.state().rows()).max().orElseThrow();
      return Finding.violated(Rule.R101, most + " rows > total " + total, broken.get().moment());
    }
    if (evidence.calls().size() <= total) {
      return Finding.notReached(Rule.R101, "no more calls than units");
    }
    return rowsSeen(evidence)
        ? Finding.pass(Rule.R101, judgedBy(evidence))
        : Finding.notReached(Rule.R101, "no row was written");
  }

  static Finding oneRowAUser(Evidence evidence) {
    for (Books books : evidence.states()) {
      for (Map.Entry<String, Long> rows : books.state().rowsByUser().entrySet()) {
        if (rows.getValue() > 1) {
          return Finding.violated(
              Rule.R102,
              mostRowsOfOneUser(evidence) + " rows of user " + rows.getKey(),
              books.moment());
        }
      }
    }
    StoreState last = evidence.lastAtRest();
    boolean holderAskedTwice =
        last != null
            && last.rowsByUser().keySet().stream()
                .anyMatch(user -> evidence.callsOf(user).size() > 1);
    return holderAskedTwice
        ? Finding.pass(Rule.R102, judgedBy(evidence))
        : Finding.notReached(Rule.R102, "no user with a row asked twice");
  }

  private static long mostRowsOfOneUser(Evidence evidence) {
    return evidence.states().stream()
        .flatMap(books -> books.state().rowsByUser().values().stream())
        .mapToLong(Long::longValue)
        .max()
        .orElse(0);
  }

  static Finding counterEqualsRows(Evidence evidence) {
    List<Books> counted =
        evidence.states().stream().filter(books -> books.state().counter() >= 0).toList();
    if (counted.isEmpty()) {
      return Finding.notReached(Rule.R103, "the subject keeps no counter");
    }
    for (Books books : counted) {
      StoreState state = books.state();
      if (state.counter() != state.rows()) {
        return Finding.violated(
            Rule.R103, "counter " + state.counter() + ", rows " + state.rows(), books.moment());
      }
    }
    return rowsSeen(evidence)
        ? Finding.pass(Rule.R103, judgedBy(evidence))
        : Finding.notReached(Rule.R103, "no row was written");
  }

  static Finding gateStockNeverNegative(Evidence evidence) {
    boolean touchedZero = false;
    for (Books books : evidence.states()) {
      long stock = books.state().gateStock();
      if (stock != StoreState.MISSING && stock < 0) {
        return Finding.violated(Rule.R104, "gate stock " + stock, books.moment());
      }
      touchedZero |= stock == 0;
    }
    if (!evidence.gated()) {
      return Finding.notReached(Rule.R104, "there is no gate");
    }
    return touchedZero
        ? Finding.pass(Rule.R104, judgedBy(evidence))
        : Finding.notReached(Rule.R104, "the gate stock was never seen at 0");
  }

  /**
   * Judged in runs that sell two coupons at once. All other rules are judged for each by itself;
   * here: nobody gets a row, or is told to hold one, by asking for the other.
   */
  static Finding couponsApart(Evidence evidence) {
    Set<String> askedForOther = new HashSet<>();
    for (Call call : evidence.callsOfOtherCoupons()) {
      askedForOther.add(call.userId());
    }
    for (Books books : evidence.states()) {
      for (String user : books.state().rowsByUser().keySet()) {
        if (askedForOther.contains(user) && evidence.callsOf(user).isEmpty()) {
          return Finding.violated(
              Rule.R105, "user " + user + " asked for another coupon only", books.moment());
        }
      }
    }
    for (Call call : evidence.told(IssueOutcome.DUPLICATE)) {
      if (askedForOther.contains(call.userId())
          && evidence.rowSightings().heldAtEnd(call) == Truth.NO) {
        return Finding.violated(
            Rule.R105, "user " + call.userId() + " is a duplicate of another coupon", call.end());
      }
    }
    boolean bothSold =
        rowsSeen(evidence) && evidence.callsOfOtherCoupons().stream().anyMatch(Evidence::isGiven);
    return bothSold
        ? Finding.pass(Rule.R105, "two coupons sold at once")
        : Finding.notReached(Rule.R105, "only one coupon was sold");
  }

  private static boolean rowsSeen(Evidence evidence) {
    return evidence.states().stream().anyMatch(books -> books.state().rows() > 0);
  }

  private static String judgedBy(Evidence evidence) {
    return evidence.states().size() + (evidence.timeline() != null ? " states" : " sampled states");
  }
}
