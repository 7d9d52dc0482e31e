package io.stockproof.verification.wire;

import java.util.concurrent.CompletableFuture;

/**
 * A command whose client was cut off before it reached the server, and which may still reach it: a
 * packet that lingers in the network. One of the two methods is to be called, once, from any
 * thread.
 */
public interface LateCommand {

  /** The command. */
  Command command();

  /**
   * Sends the command to the server. The result is complete when the server has executed it, what
   * was left of its transaction is rolled back, and the connection to the server is closed; it
   * fails with an {@link java.io.IOException} if the server closed before it answered.
   *
   * @throws IllegalStateException if already delivered or dropped
   */
  CompletableFuture<Reply> deliver();

  /**
   * Closes the connection to the server without sending the command.
   *
   * @throws IllegalStateException if already delivered or dropped
   */
  void drop();
}
