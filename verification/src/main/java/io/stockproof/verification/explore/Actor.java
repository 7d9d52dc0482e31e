package io.stockproof.verification.explore;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.wire.Command;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * One request of a run, or one command that is delivered late, and where it stands. Owned by the
 * scheduler's thread; only {@link #call} runs on a thread of its own.
 */
final class Actor {

  enum State {
    NOT_STARTED,
    /** Its code runs, or waits for something inside the JVM. */
    RUNNING,
    /** A command of it is held. */
    HOLDING,
    /** A command of it is being executed. */
    EXECUTING,
    /** The server says that its command waits for a lock. */
    LOCKED,
    /** It waits inside the JVM for another actor: a monitor, the pool. */
    PARKED,
    DONE
  }

  final int index;
  final int instance;
  final String userId;
  State state = State.NOT_STARTED;
  final Deque<Command> held = new ArrayDeque<>();
  @Nullable Command executing;
  volatile @Nullable Thread thread;
  boolean finished;
  int commands;
  int looks;
  int firstStep = -1;
  long end = io.stockproof.verification.history.Call.NEVER;
  @Nullable IssueOutcome outcome;
  @Nullable String error;
  boolean returned;
  boolean cutOff;

  /** Whether it is in the middle of what it does in one go. */
  boolean going;

  Actor(int index, int instance, String userId) {
    this.index = index;
    this.instance = instance;
    this.userId = userId;
  }

  /** Whether its code runs on the thread with this id. */
  boolean runsOn(long threadId) {
    Thread own = thread;
    return own != null && own.getId() == threadId;
  }

  /** Whether nothing more comes of it until somebody else goes on. */
  boolean quiet() {
    return state != State.RUNNING && state != State.EXECUTING;
  }

  /** The whole life of a request: the call, then the background work that it left. */
  void call(Subject.Instance subject, Scenario scenario, boolean resolves, Switchboard board) {
    thread = Thread.currentThread();
    IssueOutcome told = null;
    String escaped = null;
    try {
      switch (scenario.requests().get(index).deed()) {
        case ASKS -> told = subject.issue(scenario.couponId(), userId);
        case OPENS_AGAIN -> subject.open(scenario.couponId(), scenario.total());
        case RECONCILES -> subject.reconcile(scenario.couponId());
        case REBUILDS -> subject.rebuild(scenario.couponId());
      }
    } catch (Throwable thrown) {
      // Whatever escapes is what the caller sees; the rules judge it.
      escaped = describe(thrown);
    }
    board.tell(new Switchboard.Event.Returned(this, told, escaped));
    if (resolves) {
      try {
        subject.resolve();
      } catch (Exception leftOver) {
        // Work that could not be finished is found when the run is at rest.
        board.tell(new Switchboard.Event.Finished(this));
        return;
      }
    }
    board.tell(new Switchboard.Event.Finished(this));
  }

  static String describe(Throwable thrown) {
    String message = thrown.getMessage();
    return thrown.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }
}
