package io.stockproof.ledger;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The ledger did not answer, or answered with an error. */
public final class LedgerException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * Names what happened.
   *
   * @param message what was asked and what came back
   * @param cause what the driver said, if anything
   */
  public LedgerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
