package io.stockproof.verification.wire;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A {@link LateCommand} of one link. */
final class Delivery implements LateCommand {
  private final Command command;
  private final Link link;
  private final AtomicBoolean decided = new AtomicBoolean();
  private final CompletableFuture<Reply> result = new CompletableFuture<>();

  /** Set when the link reached the command; guarded by the link's lock. */
  @Nullable Frame frame;

  Delivery(Command command, Link link) {
    this.command = command;
    this.link = link;
  }

  @Override
  public Command command() {
    return command;
  }

  @Override
  public CompletableFuture<Reply> deliver() {
    decideOnce();
    if (!link.deliver(this)) {
      failed();
    }
    return result;
  }

  @Override
  public void drop() {
    decideOnce();
    failed();
    link.leave();
  }

  private void decideOnce() {
    if (!decided.compareAndSet(false, true)) {
      throw new IllegalStateException("already delivered or dropped: " + command);
    }
  }

  void completed(Reply reply) {
    result.complete(reply);
  }

  void failed() {
    result.completeExceptionally(new IOException("not executed or not answered: " + command));
  }
}
