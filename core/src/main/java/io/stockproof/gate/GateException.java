package io.stockproof.gate;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The gate did not answer, or answered with an error. */
public final class GateException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final boolean refused;

  /**
   * Names what happened.
   *
   * @param message what was asked and what came back
   * @param refused true if the server itself refused the command, so that nothing was written;
   *     false if it may have been executed
   * @param cause what the client said, if anything
   */
  public GateException(String message, boolean refused, @Nullable Throwable cause) {
    super(message, cause);
    this.refused = refused;
  }

  /** Whether it is certain that nothing was written. */
  public boolean refused() {
    return refused;
  }
}
