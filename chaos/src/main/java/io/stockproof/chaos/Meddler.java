package io.stockproof.chaos;

import io.stockproof.verification.wire.Command;
import io.stockproof.verification.wire.Reply;
import io.stockproof.verification.wire.Traffic;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stands on the wires of all instances: lets everything through, unless a fault meddles, and counts
 * what an instance sees of a fault. Thread-safe.
 */
final class Meddler implements Traffic {

  /** What a fault does to what passes. Called by many threads at once. */
  interface Meddling {
    /** Decides about a command, and says so; false leaves it to be forwarded. */
    boolean decides(Command command);

    /** Before the reply goes to the client; may hold it back. */
    default void replied(Command command) {}
  }

  private final AtomicLong troubles = new AtomicLong();
  private volatile @Nullable Meddling meddling;

  /** Begins; {@link #stop} ends it. */
  void meddle(Meddling how) {
    meddling = how;
  }

  void stop() {
    meddling = null;
  }

  /** An instance has seen something of a fault that is on no wire. */
  void seen() {
    troubles.incrementAndGet();
  }

  /**
   * Errors that servers answered, connections that ended, commands that were meddled with, and what
   * was {@link #seen}.
   */
  long troubles() {
    return troubles.get();
  }

  @Override
  public void arrived(Command command) {
    Meddling now = meddling;
    if (now != null && now.decides(command)) {
      troubles.incrementAndGet();
    } else {
      command.forward();
    }
  }

  @Override
  public void replied(Command command, Reply reply) {
    if (reply.error()) {
      troubles.incrementAndGet();
    }
    Meddling now = meddling;
    if (now != null) {
      now.replied(command);
    }
  }

  @Override
  public void connectionClosed(int connection, String instance, Command.Store store) {
    troubles.incrementAndGet();
  }
}
