package io.stockproof.verification.rules;

import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.Wire;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * R403: whether a call kept a database connection busy with a transaction while it waited for
 * something else.
 */
final class HoldingRules {
  private HoldingRules() {}

  static Finding noConnectionHeldElsewhere(Evidence evidence) {
    Wire wire = evidence.history().wire();
    if (wire == null) {
      return Finding.notReached(Rule.R403, "needs the commands of each call: explored runs");
    }
    int transactions = 0;
    for (Call call : evidence.calls(Call.Phase.SALE)) {
      Holding holding = new Holding(call, wire.waits());
      evidence.commands().of(call).stream().filter(Wire.Sent::sure).forEach(holding::next);
      if (holding.broken != null) {
        return holding.broken;
      }
      transactions += holding.transactions;
    }
    return transactions == 0
        ? Finding.notReached(Rule.R403, "no transaction of a call was seen")
        : Finding.pass(Rule.R403, transactions + " transactions");
  }

  /** Follows one call: on which connections it has a transaction open. */
  private static final class Holding {
    private final Call call;
    private final List<Long> waits = new ArrayList<>();
    private final Set<Integer> open = new HashSet<>();
    private int transactions;
    private long last;
    private @Nullable Finding broken;

    Holding(Call call, List<Wire.Wait> waits) {
      this.call = call;
      waits.stream()
          .filter(wait -> wait.call() == call.id())
          .forEach(wait -> this.waits.add(wait.step()));
    }

    void next(Wire.Sent sent) {
      boolean elsewhere = open.stream().anyMatch(held -> held != sent.connection());
      boolean stoodStill =
          !open.isEmpty() && waits.stream().anyMatch(at -> at >= last && at < sent.step());
      if (broken == null && elsewhere) {
        broken = broken("sent " + sent.name() + " elsewhere", sent.step());
      } else if (broken == null && stoodStill) {
        broken = broken("waited for another call", sent.step());
      }
      last = sent.step();
      if (sent.kind() == Wire.Kind.REDIS) {
        return;
      }
      if (sent.kind() == Wire.Kind.END || sent.fate() != Wire.Fate.DONE) {
        // After an error it may have been given back without a word on the wire.
        open.remove(sent.connection());
      } else if (sent.inTransaction() && open.add(sent.connection())) {
        transactions++;
      }
    }

    private Finding broken(String what, long step) {
      return Finding.violated(
          Rule.R403, "user " + call.userId() + " " + what + " within a transaction", step);
    }
  }
}
