package io.stockproof.verification.wire;

import org.jspecify.annotations.Nullable;

/**
 * A place in the order of replies of one connection: one that the server owes, or one made up by
 * the proxy.
 *
 * @param kind see {@link Frame#kind}
 * @param command what it answers; {@code null} for a command of the proxy itself
 * @param fate what becomes of it
 * @param madeUp the reply itself if the server is not asked
 * @param delivery who waits for it if the command was late
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Expected(
    int kind,
    @Nullable Command command,
    Fate fate,
    byte @Nullable [] madeUp,
    @Nullable Delivery delivery) {

  /** What becomes of a reply. */
  enum Fate {
    /** The client gets it. */
    PASS,
    /** The proxy asked; nobody gets it. */
    SWALLOW,
    /** The client was to get it; it is dropped, and the connection ends tidily. */
    LOSE,
    /** The last thing asked of the server; the connection closes when it comes. */
    CLOSE,
    /** Made up by the proxy. */
    MADE_UP
  }

  static Expected of(Frame frame, Fate fate) {
    return new Expected(frame.kind, frame.command, fate, null, null);
  }

  static Expected swallowed(int kind, Fate fate) {
    return new Expected(kind, null, fate, null, null);
  }

  static Expected madeUp(Frame frame, byte[] reply) {
    return new Expected(frame.kind, frame.command, Fate.MADE_UP, reply, null);
  }
}
