package io.stockproof;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A store did not answer an operation of {@link Coupons}. The operation may be repeated. */
public final class StoreUnavailableException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  /**
   * Names what could not be done.
   *
   * @param message the operation and the store
   * @param cause what the store's client said, if anything
   */
  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
