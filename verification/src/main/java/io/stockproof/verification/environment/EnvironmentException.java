package io.stockproof.verification.environment;

import org.jspecify.annotations.Nullable;

/** An environment could not be opened or its servers do not do what was asked. */
public final class EnvironmentException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Says what failed, and what to do instead where there is something. */
  public EnvironmentException(String message) {
    super(message);
  }

  /** Says what failed, with the failure below it. */
  public EnvironmentException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
