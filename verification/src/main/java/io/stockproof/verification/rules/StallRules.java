package io.stockproof.verification.rules;

import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.Wire;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** R504: whether a call wrote on a hold that had expired under it, and was another's by then. */
final class StallRules {
  private StallRules() {}

  static Finding stalledHolderCannotWrite(Evidence evidence) {
    Wire wire = evidence.history().wire();
    if (wire == null || wire.sent().isEmpty()) {
      return Finding.notReached(Rule.R504, "needs the commands of each call: explored runs");
    }
    if (wire.losses().size() != 1) {
      return Finding.notReached(Rule.R504, "not one loss of a lock or reservation");
    }
    Wire.Loss loss = wire.losses().get(0);
    List<Call> sale = evidence.calls(Call.Phase.SALE);
    int judged = 0;
    for (Call stalled : sale) {
      for (Call next : sale) {
        Pair pair = new Pair(evidence, loss, stalled, next);
        if (stalled.id() == next.id() || !pair.wasLetInOnItsHold()) {
          continue;
        }
        if (pair.wroteAfterwards()) {
          return Finding.violated(
              Rule.R504,
              "user " + stalled.userId() + " wrote after user " + next.userId() + " was let in",
              pair.rowStep(stalled));
        }
        judged++;
      }
    }
    return judged == 0
        ? Finding.notReached(Rule.R504, "nobody was let in on an expired hold")
        : Finding.pass(Rule.R504, judged + " holders whose hold expired");
  }

  /** A call whose hold expired, and one that may have come in its place. */
  private static final class Pair {
    private final Evidence evidence;
    private final Wire.Loss loss;
    private final Call stalled;
    private final Call next;
    private final List<Wire.Sent> ofStalled;
    private final List<Wire.Sent> ofNext;

    Pair(Evidence evidence, Wire.Loss loss, Call stalled, Call next) {
      this.evidence = evidence;
      this.loss = loss;
      this.stalled = stalled;
      this.next = next;
      ofStalled = evidence.commands().of(stalled);
      ofNext = evidence.commands().of(next);
    }

    boolean wasLetInOnItsHold() {
      return sure() && heldWhenLost() && enteredAt() < Call.NEVER && inItsPlace();
    }

    private boolean sure() {
      return ofStalled.stream().allMatch(Wire.Sent::sure)
          && ofNext.stream().allMatch(Wire.Sent::sure);
    }

    /** It had a lost key before, did not touch it again, and went on to the database. */
    private boolean heldWhenLost() {
      return tookOneOf(loss.keys()) && writesOnTheOldHold() > 0;
    }

    private boolean tookOneOf(Set<String> keys) {
      return ofStalled.stream()
          .filter(sent -> sent.step() < loss.step() && sent.fate() == Wire.Fate.DONE)
          .anyMatch(sent -> touches(sent, keys));
    }

    /** Statements that it sent after the loss, until it turned to the lost keys again. */
    private long writesOnTheOldHold() {
      long again = firstOnKeys(ofStalled, loss.step());
      return ofStalled.stream()
          .filter(sent -> sent.kind() == Wire.Kind.WRITE)
          .filter(sent -> sent.step() > loss.step() && sent.step() < again)
          .count();
    }

    private long firstOnKeys(List<Wire.Sent> commands, long from) {
      return commands.stream()
          .filter(sent -> sent.step() >= from && touches(sent, loss.keys()))
          .mapToLong(Wire.Sent::step)
          .findFirst()
          .orElse(Call.NEVER);
    }

    /**
     * When the other was certainly inside: its first statement was done after the last time it
     * asked Redis for the lost keys before its row appeared. {@link Call#NEVER} if it got no row.
     */
    private long enteredAt() {
      long row = rowStep(next);
      long asked = lastAsked(loss.keys(), row);
      return row == Call.NEVER
          ? Call.NEVER
          : ofNext.stream()
              .filter(sent -> sent.step() > asked && sent.kind() != Wire.Kind.REDIS)
              .mapToLong(Wire.Sent::done)
              .findFirst()
              .orElse(Call.NEVER);
    }

    private long lastAsked(Set<String> keys, long row) {
      return ofNext.stream()
          .filter(sent -> sent.step() >= loss.step() && sent.step() < row)
          .filter(sent -> touches(sent, keys) && sent.fate() == Wire.Fate.DONE)
          .mapToLong(Wire.Sent::step)
          .max()
          .orElse(Call.NEVER);
    }

    /**
     * Both had a key that is there only while somebody holds it; or else no other unit was left.
     */
    private boolean inItsPlace() {
      boolean lock =
          loss.absentAtRest().stream()
              .map(Set::of)
              .anyMatch(key -> tookOneOf(key) && lastAsked(key, rowStep(next)) < Call.NEVER);
      return lock || rowsOfOthersAt(enteredAt()) + 1 >= evidence.total();
    }

    private long rowsOfOthersAt(long moment) {
      Timeline timeline = evidence.timeline();
      if (timeline == null) {
        return 0;
      }
      return timeline.at(moment).rowsByUser().entrySet().stream()
          .filter(row -> !row.getKey().equals(stalled.userId()))
          .filter(row -> !row.getKey().equals(next.userId()))
          .mapToLong(Map.Entry::getValue)
          .sum();
    }

    /** A statement that it sent on its old hold, after the other was inside, became its row. */
    boolean wroteAfterwards() {
      long row = rowStep(stalled);
      long again = firstOnKeys(ofStalled, loss.step());
      long entered = enteredAt();
      return ofStalled.stream()
              .filter(sent -> sent.kind() == Wire.Kind.WRITE && sent.fate() == Wire.Fate.DONE)
              .anyMatch(sent -> sent.step() > entered && sent.step() < again && sent.step() <= row)
          && row != Call.NEVER;
    }

    /** After which step the row that this call wrote was there; {@link Call#NEVER} if none. */
    long rowStep(Call call) {
      if (!Boolean.TRUE.equals(call.wroteRow())) {
        return Call.NEVER;
      }
      for (Books books : evidence.history().books()) {
        if (books.state().rowsByUser().containsKey(call.userId())) {
          return books.moment();
        }
      }
      return Call.NEVER;
    }

    private static boolean touches(Wire.Sent sent, Set<String> keys) {
      Set<String> common = new HashSet<>(sent.keys());
      common.retainAll(keys);
      return !common.isEmpty();
    }
  }
}
