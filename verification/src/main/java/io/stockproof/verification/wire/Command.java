package io.stockproof.verification.wire;

import java.time.Duration;
import java.util.List;

/**
 * One Redis command or SQL statement on the wire. May be used from any thread.
 *
 * <p>Exactly one of {@link #forward}, {@link #answer}, {@link #cutBefore}, {@link #loseReply} and
 * {@link #giveUp} decides about it, once; a second decision is an {@link IllegalStateException}.
 * Commands of one connection take effect in the order in which they were sent: a decision about a
 * command that is {@link #queuedBehind} another is remembered and carried out when those before it
 * are decided. The exact effect of each decision is the table in {@code docs/faults.md}.
 */
public final class Command {

  /** Where a command goes. */
  public enum Store {
    REDIS,
    DATABASE
  }

  private final Link link;
  private final Decoded decoded;
  private volatile int frozenTransaction = -1;

  Command(Link link, Decoded decoded) {
    this.link = link;
    this.decoded = decoded;
  }

  /** Where it goes. */
  public Store store() {
    return link.store();
  }

  /** Label of the proxy it came through. */
  public String instance() {
    return link.instance();
  }

  /** Number of the proxied connection, unique in the process. */
  public int connection() {
    return link.number();
  }

  /** Thread id of the connection at the database, for finding lock waits; -1 for Redis. */
  public long serverConnectionId() {
    return link.serverConnectionId();
  }

  /**
   * Upper case: the Redis command, or the first word of the SQL statement after comments. {@code
   * START TRANSACTION} is called {@code BEGIN}.
   */
  public String name() {
    return decoded.name();
  }

  /** Redis keys; for EXEC those of all commands since MULTI. Empty for SQL. */
  public List<String> keys() {
    return decoded.keys();
  }

  /** Whether {@link #keys} are all that it touches; false for SQL, FLUSHALL, unknown commands. */
  public boolean keysKnown() {
    return decoded.keysKnown();
  }

  /**
   * SQL text as prepared or sent; for Redis name and arguments, bytes that are no text escaped,
   * long ones shortened.
   */
  public String statement() {
    return decoded.statement();
  }

  /** Parameters of a prepared statement, or arguments of a Redis command that are not keys. */
  public List<String> parameters() {
    return decoded.parameters();
  }

  /** Whether it is forwarded without asking: it neither reads nor changes data. */
  public boolean housekeeping() {
    return decoded.housekeeping();
  }

  /** Whether Redis only queues it until EXEC (also MULTI itself): no effect of its own. */
  public boolean queuedByServer() {
    return decoded.queuedByServer();
  }

  /**
   * Whether a transaction is open (or autocommit off), by the server's last reply before it: if
   * not, this statement commits by itself. For Redis: between MULTI and EXEC.
   */
  public boolean inTransaction() {
    int frozen = frozenTransaction;
    return frozen >= 0 ? frozen == 1 : link.inTransaction();
  }

  /** Whether a command before it on the same connection is still undecided. */
  public boolean queuedBehind() {
    return link.queuedBehind(this);
  }

  /** Whether its client's connection has ended while it was held. */
  public boolean clientGone() {
    return link.clientGone();
  }

  /**
   * Sends it to the server, in the calling thread; the reply goes to the client by itself.
   *
   * @return false if nothing was sent because the connection to the server has ended
   */
  public boolean forward() {
    return link.decide(this, Frame.FORWARD);
  }

  /** As {@link #forward}, after a while, on a thread of the proxy. */
  public void forwardAfter(Duration delay) {
    link.later(delay, this::forward);
  }

  /**
   * Answers it without executing it, with the server in the state that the error tells of: the
   * transaction rolled back for 1213 and 1020, the MULTI bound to fail with EXECABORT.
   *
   * @throws IllegalArgumentException if the error is one of the other store
   */
  public void answer(WireError error) {
    if (error.store() != store()) {
      throw new IllegalArgumentException("error of " + error.store() + " for a " + store());
    }
    link.decide(this, new Frame.Decision.Answer(error));
  }

  /**
   * Closes the connection without sending it. The server has undone what it undoes for a closed
   * connection before the client sees the end, unless other replies are outstanding.
   */
  public void cutBefore() {
    link.decide(this, new Frame.Decision.Cut());
  }

  /**
   * Sends it, waits for the server's reply, drops that and closes the connection. {@link
   * Traffic#replied} tells when it is executed.
   */
  public void loseReply() {
    link.decide(this, new Frame.Decision.Lose());
  }

  /**
   * Closes the client's connection now and keeps the server's, so that the command may reach the
   * server when its client no longer waits.
   */
  public LateCommand giveUp() {
    Delivery delivery = new Delivery(this, link);
    link.decide(this, new Frame.Decision.Late(delivery));
    return delivery;
  }

  void freezeTransaction(boolean inTransaction) {
    frozenTransaction = inTransaction ? 1 : 0;
  }

  @Override
  public String toString() {
    return instance() + "#" + connection() + " " + statement();
  }
}
