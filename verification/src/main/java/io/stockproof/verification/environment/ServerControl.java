package io.stockproof.verification.environment;

/**
 * Power over one server that an environment started itself: what happens to servers in production,
 * done on purpose. Thread-safe; every method returns when it is done.
 *
 * <p>The environment's {@link Environment#close()} ends the server whatever was done to it.
 */
public interface ServerControl {

  /**
   * Stops it in the middle of what it does, without a word to anyone: connections stay open, new
   * ones are accepted by the operating system, nothing is answered.
   *
   * @throws EnvironmentException if it does not run
   */
  void freeze();

  /**
   * Lets it go on after {@link #freeze}; does nothing to one that is not frozen.
   *
   * @throws EnvironmentException if it does not run
   */
  void thaw();

  /**
   * Kills it (SIGKILL), frozen or not, and waits until it is gone; does nothing to one that is
   * gone.
   *
   * @throws EnvironmentException if it does not end
   */
  void kill();

  /**
   * Starts it at its old address with what it left on its disk, and waits until it answers; does
   * nothing to one that runs. What Redis had saved is loaded once: the next start is empty unless
   * it saves again.
   *
   * @throws EnvironmentException if it does not come up
   */
  void start();

  /** Whether it runs, frozen or not. */
  boolean running();
}
