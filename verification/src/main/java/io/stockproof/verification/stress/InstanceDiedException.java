package io.stockproof.verification.stress;

/** The instance that was asked is gone: its caller hears nothing more (R503). */
public final class InstanceDiedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The instance of this name. */
  public InstanceDiedException(String instance) {
    super(instance + " died");
  }
}
