package io.stockproof.verification.wire;

/**
 * Who is told of what passes a {@link WireProxy}, and decides about it. Methods are called on the
 * threads of the proxied connections, for different connections at the same time, and must not
 * block for long: a command is held by returning from {@link #arrived} without deciding.
 *
 * <p>Whatever a client sends as a consequence of a reply arrives after {@link #replied} returned
 * for that reply.
 */
public interface Traffic {

  /** Forwards everything at once; the fastest way through a proxy. */
  Traffic PASS =
      new Traffic() {
        @Override
        public void arrived(Command command) {
          command.forward();
        }
      };

  /**
   * A command was read from a client. It stays where it is until one of its methods is called, from
   * this or any other thread. Not called for {@link Command#housekeeping}.
   */
  void arrived(Command command);

  /** A housekeeping command was read from a client; it is forwarded without being asked about. */
  default void passed(Command command) {}

  /**
   * The server ended its reply to a command; called just before the last bytes of the reply go to
   * the client, also if the reply is lost on purpose. Also called for housekeeping.
   */
  default void replied(Command command, Reply reply) {}

  /** A client connected. */
  default void connectionOpened(int connection, String instance, Command.Store store) {}

  /**
   * The connection to a client ended, by whichever side. Commands of it that are still held may be
   * forwarded all the same: then the server executes what its client no longer waits for.
   */
  default void connectionClosed(int connection, String instance, Command.Store store) {}
}
