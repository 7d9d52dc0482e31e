package io.stockproof.verification.wire;

import org.jspecify.annotations.Nullable;

/**
 * A slice of what a client sent: one command, or raw bytes that belong to none. The decision is
 * guarded by the link's lock.
 */
final class Frame {

  /** What is to become of a frame. */
  sealed interface Decision {
    /** Send it. */
    record Forward() implements Decision {}

    /** Do not send it; answer with an error. */
    record Answer(WireError error) implements Decision {}

    /** Do not send it; close. */
    record Cut() implements Decision {}

    /** Send it, drop the reply, close. */
    record Lose() implements Decision {}

    /** Close towards the client; maybe send it later. */
    record Late(Delivery delivery) implements Decision {}
  }

  static final Decision FORWARD = new Decision.Forward();

  final byte[] bytes;

  /** First byte of a MySQL command; {@link #NO_REPLY} if the server does not answer this frame. */
  final int kind;

  final @Nullable Command command;
  @Nullable Decision decision;

  /** No reply follows. */
  static final int NO_REPLY = -1;

  /** A reply of Redis. */
  static final int RESP_REPLY = -2;

  private Frame(byte[] bytes, int kind, @Nullable Command command, @Nullable Decision decision) {
    this.bytes = bytes;
    this.kind = kind;
    this.command = command;
    this.decision = decision;
  }

  static Frame raw(byte[] bytes) {
    return new Frame(bytes, NO_REPLY, null, FORWARD);
  }

  static Frame of(byte[] bytes, int kind, Command command) {
    return new Frame(bytes, kind, command, command.housekeeping() ? FORWARD : null);
  }
}
