package io.stockproof.verification.rules;

import static io.stockproof.verification.Verdict.INCONCLUSIVE;
import static io.stockproof.verification.Verdict.PASS;
import static io.stockproof.verification.Verdict.VIOLATED;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import io.stockproof.verification.history.Wire;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * R401 to R403 and R504 from the words of SPEC.md, for runs whose wire was watched and whose books
 * were kept after every command: every command, every pair of calls, every step between looked at.
 */
final class WireReference {
  /** No command is sent at or after this step. */
  private static final long LAST_STEP = 100;

  private final History history;
  private final Wire wire;
  private final List<Call> sale;

  WireReference(History history, Wire wire) {
    this.history = history;
    this.wire = wire;
    sale =
        history.calls().stream()
            .filter(call -> call.phase() == Call.Phase.SALE)
            .filter(call -> call.couponId() == history.scenario().couponId())
            .toList();
  }

  Verdict verdict(Rule rule) {
    return switch (rule) {
      case R401 -> cost(sent -> sent.kind() == Wire.Kind.WRITE, true);
      case R402 -> cost(sent -> sent.kind() != Wire.Kind.REDIS, false);
      case R403 -> holding();
      case R504 -> stalled();
      default -> throw new IllegalArgumentException("rule must be of the wire, was " + rule);
    };
  }

  private List<Wire.Sent> of(Call call) {
    return wire.sent().stream().filter(sent -> sent.call() == call.id()).toList();
  }

  private Verdict cost(Predicate<Wire.Sent> breaks, boolean otherMayBreak) {
    boolean disturbed = history.calls().stream().anyMatch(call -> !call.phase().asks());
    if (history.faulted() || disturbed) {
      return INCONCLUSIVE;
    }
    boolean judged = false;
    for (Call call : sale) {
      if (call.outcome() != IssueOutcome.SOLD_OUT) {
        continue;
      }
      List<Wire.Sent> before = of(call).stream().filter(s -> s.step() <= call.end()).toList();
      if (before.stream().anyMatch(sent -> sent.sure() && breaks.test(sent))) {
        return VIOLATED;
      }
      boolean unclear =
          otherMayBreak && before.stream().anyMatch(sent -> sent.kind() == Wire.Kind.OTHER);
      judged |= !unclear && !guessedMeanwhile(call);
    }
    return judged ? PASS : INCONCLUSIVE;
  }

  /** Whether, during the call, it was not certain whose some command of its instance was. */
  private boolean guessedMeanwhile(Call call) {
    return history.calls().stream()
        .filter(other -> other.instance() == call.instance())
        .flatMap(other -> of(other).stream())
        .anyMatch(s -> !s.sure() && s.step() > call.start() && s.step() <= call.end());
  }

  private Verdict holding() {
    boolean transaction = false;
    for (Call call : sale) {
      List<Wire.Sent> own = of(call).stream().filter(Wire.Sent::sure).toList();
      for (int i = 0; i < own.size(); i++) {
        Wire.Sent sent = own.get(i);
        transaction |= takesPart(sent);
        for (Wire.Sent begun : own.subList(0, i)) {
          boolean open = takesPart(begun) && !over(begun, own.subList(0, i));
          boolean waited =
              wire.waits().stream()
                  .anyMatch(
                      wait ->
                          wait.call() == call.id()
                              && wait.step() >= begun.step()
                              && wait.step() < sent.step()
                              && open);
          if (waited || (open && sent.connection() != begun.connection())) {
            return VIOLATED;
          }
        }
      }
    }
    return transaction ? PASS : INCONCLUSIVE;
  }

  /** A statement done within a transaction: from here on it holds its connection. */
  private static boolean takesPart(Wire.Sent sent) {
    return sent.kind() != Wire.Kind.REDIS
        && sent.kind() != Wire.Kind.END
        && sent.inTransaction()
        && sent.fate() == Wire.Fate.DONE;
  }

  /** A COMMIT, a ROLLBACK or an error on that connection since. */
  private static boolean over(Wire.Sent begun, List<Wire.Sent> own) {
    return own.stream()
        .filter(sent -> sent.step() > begun.step() && sent.connection() == begun.connection())
        .filter(sent -> sent.kind() != Wire.Kind.REDIS)
        .anyMatch(sent -> sent.kind() == Wire.Kind.END || sent.fate() != Wire.Fate.DONE);
  }

  private Verdict stalled() {
    if (wire.losses().size() != 1) {
      return INCONCLUSIVE;
    }
    Wire.Loss loss = wire.losses().get(0);
    boolean judged = false;
    for (Call stalled : sale) {
      for (Call next : sale) {
        long inside = inside(next, loss);
        if (stalled.equals(next)
            || inside == Call.NEVER
            || !certain(stalled)
            || !certain(next)
            || !took(stalled, loss, loss.keys())
            || !wroteUnasked(stalled, loss, sent -> true)
            || !inPlace(stalled, next, loss, inside)) {
          continue;
        }
        judged = true;
        long row = rowOf(stalled);
        if (row != Call.NEVER
            && wroteUnasked(
                stalled,
                loss,
                s -> s.fate() == Wire.Fate.DONE && s.step() > inside && s.step() <= row)) {
          return VIOLATED;
        }
      }
    }
    return judged ? PASS : INCONCLUSIVE;
  }

  private boolean certain(Call call) {
    return of(call).stream().allMatch(Wire.Sent::sure);
  }

  private static boolean asksFor(Wire.Sent sent, Set<String> keys) {
    return !Collections.disjoint(sent.keys(), keys);
  }

  private boolean took(Call call, Wire.Loss loss, Set<String> keys) {
    return of(call).stream()
        .anyMatch(s -> s.step() < loss.step() && s.fate() == Wire.Fate.DONE && asksFor(s, keys));
  }

  /** Whether it sent such a statement after the loss, and no question for the keys in between. */
  private boolean wroteUnasked(Call call, Wire.Loss loss, Predicate<Wire.Sent> such) {
    return of(call).stream()
        .filter(sent -> sent.kind() == Wire.Kind.WRITE && sent.step() > loss.step())
        .filter(such)
        .anyMatch(
            write ->
                LongStream.range(loss.step(), write.step())
                    .noneMatch(
                        step ->
                            of(call).stream()
                                .anyMatch(s -> s.step() == step && asksFor(s, loss.keys()))));
  }

  /** From when on it is certainly inside by a hold of its own, which got it a row. */
  private long inside(Call next, Wire.Loss loss) {
    long row = rowOf(next);
    for (long asked = LAST_STEP; asked >= loss.step(); asked--) {
      long step = asked;
      if (row != Call.NEVER && step < row && asked(next, step, loss.keys())) {
        return of(next).stream()
            .filter(sent -> sent.step() > step && sent.kind() != Wire.Kind.REDIS)
            .map(Wire.Sent::done)
            .findFirst()
            .orElse(Call.NEVER);
      }
    }
    return Call.NEVER;
  }

  private boolean asked(Call call, long step, Set<String> keys) {
    return of(call).stream()
        .anyMatch(s -> s.step() == step && s.fate() == Wire.Fate.DONE && asksFor(s, keys));
  }

  /** Both had the same lock, or all units but the one they both reserved were rows. */
  private boolean inPlace(Call stalled, Call next, Wire.Loss loss, long inside) {
    StoreState state = history.books().get(0).state();
    for (Books books : history.books()) {
      state = books.moment() <= inside ? books.state() : state;
    }
    long others = 0;
    for (String user : state.rowsByUser().keySet()) {
      boolean one = user.equals(stalled.userId()) || user.equals(next.userId());
      others += one ? 0 : state.rowsByUser().get(user);
    }
    boolean lock = false;
    for (String key : loss.absentAtRest()) {
      for (long step = loss.step(); step < rowOf(next) && step < LAST_STEP; step++) {
        lock |= took(stalled, loss, Set.of(key)) && asked(next, step, Set.of(key));
      }
    }
    return lock || others + 1 >= history.scenario().total();
  }

  /** When the row that this call wrote was first there. */
  private long rowOf(Call call) {
    if (call.wroteRow() == null || !call.wroteRow()) {
      return Call.NEVER;
    }
    return history.books().stream()
        .filter(books -> books.state().rowsByUser().getOrDefault(call.userId(), 0L) > 0)
        .map(Books::moment)
        .findFirst()
        .orElse(Call.NEVER);
  }
}
