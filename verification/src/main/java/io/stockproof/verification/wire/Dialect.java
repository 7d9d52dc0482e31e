package io.stockproof.verification.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One connection's protocol: finds the ends of commands and replies, and knows how to speak to
 * either side. Which thread calls what is said at each method.
 */
interface Dialect {

  /** Returned by the scanners if the bytes ended before the frame did. */
  int MORE = -1;

  /** Returned by the scanners if the bytes make no sense in this protocol. */
  int LOST = -2;

  /** A request of the proxy itself. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Own(byte[] bytes, int kind) {}

  Command.Store store();

  /** Number of the connection at the server, or -1. Any thread. */
  long serverConnectionId();

  /** Whether a transaction is open (MULTI for Redis) as of the last reply. Any thread. */
  boolean inTransaction();

  /** What the server says before the client does. Pump thread, before all else. */
  void greet(InputStream server, OutputStream client) throws IOException;

  /**
   * Offset after the frame that {@code b[from..to)} goes on with, or {@link #MORE}, {@link #LOST}.
   * Client thread.
   */
  int clientFrame(byte[] b, int from, int to);

  /** Understands a frame; {@code null} if it cannot be decoded. Client thread. */
  @Nullable Frame decode(byte[] bytes, Link link);

  /** A reply for the client to a frame that must not reach the server, or null. Client thread. */
  byte @Nullable [] refusal(Frame frame);

  /** A frame is about to be written to the server. Under the link's lock. */
  void sent(Frame frame);

  /** What to ask of the server so that the error is true there. Under the link's lock. */
  List<Own> amends(Frame frame, WireError error);

  /** The error as bytes for the client. Under the link's lock. */
  byte[] error(Frame frame, WireError error);

  /** What to ask so that the server undoes what a closed connection undoes; null if nothing. */
  @Nullable Own farewell();

  /**
   * Offset after the server's unit (reply, push, packet of a login) that {@code b[from..to)} goes
   * on with, or {@link #MORE}, {@link #LOST}. Pump thread.
   *
   * @param next the reply that the server owes next, if any
   */
  int serverUnit(byte[] b, int from, int to, @Nullable Expected next);

  /** Whether the unit begun or just ended is no reply to a command. Pump thread. */
  boolean aside();

  /** The reply that just ended. Pump thread. */
  Reply reply();
}
