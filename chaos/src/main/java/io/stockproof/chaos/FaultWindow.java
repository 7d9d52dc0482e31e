package io.stockproof.chaos;

import java.util.concurrent.atomic.AtomicReference;

/**
 * The time in which a fault holds. Closing it undoes the fault, once; so does the end of this JVM,
 * by {@code exit} or a signal such as Ctrl-C, whatever became of the thread that opened it.
 */
final class FaultWindow implements AutoCloseable {
  private final AtomicReference<Fault.Undo> undo;
  private final Thread atExit;
  private final long openedNanos;

  /** Does a fault, and says how it is undone. */
  @FunctionalInterface
  interface Beginning {
    Fault.Undo begin() throws Exception;
  }

  private FaultWindow(Fault.Undo undo, long openedNanos) {
    this.undo = new AtomicReference<>(undo);
    this.openedNanos = openedNanos;
    this.atExit = new Thread(this::undoQuietly, "stockproof-chaos-undo");
  }

  /**
   * Does the fault.
   *
   * @throws Exception if it cannot be done; nothing is left to undo then
   */
  static FaultWindow open(Beginning fault) throws Exception {
    long before = System.nanoTime();
    FaultWindow window = new FaultWindow(fault.begin(), before);
    try {
      Runtime.getRuntime().addShutdownHook(window.atExit);
    } catch (IllegalStateException exiting) {
      window.undoQuietly();
      throw exiting;
    }
    return window;
  }

  /** Just before the fault began, by {@link System#nanoTime}. */
  long openedNanos() {
    return openedNanos;
  }

  private void undoQuietly() {
    try {
      undoOnce();
    } catch (Exception failed) {
      // The JVM ends, and with it the servers that it started.
    }
  }

  private void undoOnce() throws Exception {
    undo.getAndSet(Fault.Undo.NOTHING).undo();
  }

  /**
   * Undoes the fault.
   *
   * @throws Exception if it cannot be undone: the servers are not usable any more
   */
  @Override
  public void close() throws Exception {
    try {
      undoOnce();
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(atExit);
      } catch (IllegalStateException exiting) {
        // It runs already, and finds nothing to undo.
      }
    }
  }
}
