package io.stockproof.verification.history;

import java.util.List;
import java.util.Set;

/**
 * What the calls of a sale were seen to do beside what they answered: every command that they sent,
 * what Redis lost under them, and where they waited for one another inside their process. Steps are
 * numbered from 1, in the clock of {@link Call} and {@link Books}: the books at moment n are those
 * after step n.
 *
 * @param sent in order of step; housekeeping of drivers and pools is left out
 * @param losses data that Redis lost, in order of step
 * @param waits in order of step
 */
public record Wire(List<Sent> sent, List<Loss> losses, List<Wait> waits) {

  /** Copies the lists. */
  public Wire {
    sent = List.copyOf(sent);
    losses = List.copyOf(losses);
    waits = List.copyOf(waits);
  }

  /** What a command is, as far as its text tells. */
  public enum Kind {
    /** To Redis. */
    REDIS,
    /** To the database, changes no row: {@code SELECT}, also {@code FOR UPDATE}. */
    READ,
    /** To the database, meant to change rows, whether any matched or not. */
    WRITE,
    /** {@code COMMIT} or {@code ROLLBACK} of the whole transaction. */
    END,
    /** To the database; what it does is not known. */
    OTHER
  }

  /** What became of a command. */
  public enum Fate {
    /** Executed, and answered without an error. */
    DONE,
    /** Answered with an error, by the server or by a fault. */
    ERROR,
    /** The connection ended before its answer, or it was not answered in the run. */
    UNANSWERED
  }

  /**
   * One command on the wire.
   *
   * @param call {@link Call#id} of the call it belongs to
   * @param sure whether it can be of no other call: false where several calls ran in one instance
   *     and nothing told them apart
   * @param step when it was let through, or met its fault
   * @param done number of steps taken when its answer was there: more than {@code step} if it
   *     waited for a lock; {@link Call#NEVER} if there was none
   * @param kind what it is
   * @param connection number of the connection, unique in the run
   * @param inTransaction whether it is part of a transaction of several statements; false for Redis
   * @param fate what became of it
   * @param keys Redis keys; empty for the database
   * @param name for people, for example {@code UPDATE}
   */
  public record Sent(
      int call,
      boolean sure,
      long step,
      long done,
      Kind kind,
      int connection,
      boolean inTransaction,
      Fate fate,
      List<String> keys,
      String name) {
    /** Copies the list. */
    public Sent {
      keys = List.copyOf(keys);
    }
  }

  /**
   * Data that Redis lost.
   *
   * @param step just before the effect of this step
   * @param keys which keys were gone
   * @param absentAtRest those of them that were not there at rest either: what is there only while
   *     somebody holds it, such as a lock
   */
  public record Loss(long step, Set<String> keys, Set<String> absentAtRest) {
    /** Copies the sets. */
    public Loss {
      keys = Set.copyOf(keys);
      absentAtRest = Set.copyOf(absentAtRest);
    }
  }

  /**
   * A call stood still inside its process until another call let go of a monitor or lock.
   *
   * @param call {@link Call#id} of who waited
   * @param step the last step before
   */
  public record Wait(int call, long step) {}
}
