package io.stockproof.verification.explore;

import io.stockproof.verification.StoreState;
import io.stockproof.verification.wire.Reply;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One decision of a run and what came of it.
 *
 * @param actor who: index of a request, or beyond them a command delivered late
 * @param ordinal which of the actor's commands it is, from 0; -1 for the start of a request
 * @param words the command; null for the start of a request
 * @param footprint what it turned out to touch
 * @param fault what was done to it instead of letting it through; null if nothing
 * @param reply what the server answered; null if nothing, or not before the next step
 * @param settledAfter how many steps had been taken when it was done; more than its own number if
 *     it waited for a lock
 * @param waiting who waited for a lock after it, as the server said
 * @param books the stores after it; null if they were not looked at
 * @param enabledBy place of another actor's step without which it would not have been next, for
 *     example by leaving a monitor; -1 if there is none
 */
record Step(
    int actor,
    int ordinal,
    @Nullable Words words,
    Footprint footprint,
    @Nullable CommandFault fault,
    @Nullable Reply reply,
    int settledAfter,
    List<Wait> waiting,
    @Nullable StoreState books,
    int enabledBy) {

  Step {
    waiting = List.copyOf(waiting);
  }

  /**
   * Somebody waits for a lock.
   *
   * @param actor who
   * @param holder whose transaction holds it, as far as the statements seen tell; -1 if they do not
   * @param row which, for example {@code coupon#1}; empty if not known
   */
  record Wait(int actor, int holder, String row) {}

  /** {@code START} or the name of the command. */
  String name() {
    return words == null ? "START" : words.name();
  }

  /**
   * Stays the same where the same thing is asked, whatever the values: for noticing that a replay
   * diverged.
   */
  int hash() {
    return words == null ? 0 : hash(words);
  }

  static int hash(Words w) {
    String shape = w.redis() ? "" : SqlSkeleton.of(w.statement(), List.of()).text();
    return Objects.hash(w.name(), w.keys(), shape) & 0xffff;
  }
}
