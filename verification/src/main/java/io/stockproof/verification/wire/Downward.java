package io.stockproof.verification.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Server to client: finds the ends of replies, matches them with what was asked, and passes, drops
 * or replaces them.
 */
final class Downward implements Runnable {

  private static final int BUFFER = 64 << 10;

  private final Link link;
  private final InputStream fromServer;
  private final OutputStream toClient;

  /** Guards writing to the client. */
  private final ReentrantLock lock = new ReentrantLock();

  /** In the order of the commands; guarded by itself, never while something blocks. */
  private final ArrayDeque<Expected> expected = new ArrayDeque<>();

  /** This thread is in the middle of a piece of the server's; guarded by the lock. */
  private boolean relaying;

  /** The reply that was lost last, told when the server has undone the rest. Pump thread. */
  private @Nullable Expected lost;

  private @Nullable Reply lostReply;

  Downward(Link link, InputStream fromServer, OutputStream toClient) {
    this.link = link;
    this.fromServer = fromServer;
    this.toClient = toClient;
  }

  @Override
  public void run() {
    byte[] buffer = new byte[BUFFER];
    try {
      link.dialect().greet(fromServer, toClient);
      for (int n; (n = fromServer.read(buffer)) >= 0; ) {
        relayLocked(buffer, n);
      }
    } catch (IOException e) {
      // The end of a connection, however it came about.
    } finally {
      link.close();
    }
  }

  private void relayLocked(byte[] b, int n) {
    lock.lock();
    relaying = true;
    try {
      relay(b, n);
    } finally {
      relaying = false;
      lock.unlock();
    }
  }

  /** Passes {@code b[0..n)} on, less what is not meant for the client. */
  private void relay(byte[] b, int n) {
    int unwritten = 0;
    int next = 0;
    while (next < n && !link.isOpaque() && !link.isClosed()) {
      Expected head = peek();
      if (head != null && head.fate() == Expected.Fate.MADE_UP) {
        write(b, unwritten, next);
        unwritten = next;
        writeMadeUpNow();
        continue;
      }
      int end = link.dialect().serverUnit(b, next, n, head);
      if (end == Dialect.LOST) {
        link.becomeOpaque();
        break;
      }
      boolean aside = link.dialect().aside();
      if (!aside && head != null && head.fate() != Expected.Fate.PASS) {
        write(b, unwritten, next);
        unwritten = end == Dialect.MORE ? n : end;
      }
      next = end == Dialect.MORE ? n : end;
      if (end != Dialect.MORE && !aside) {
        settle(head);
      }
    }
    if (link.isOpaque() && owesLoss()) {
      link.close();
      return;
    }
    write(b, unwritten, n);
    writeMadeUpNow();
  }

  /** A reply ended. */
  private void settle(@Nullable Expected head) {
    if (head == null) {
      link.tally().unmatched.increment();
      return;
    }
    synchronized (expected) {
      expected.poll();
    }
    switch (head.fate()) {
      case PASS -> {
        Reply reply = link.dialect().reply();
        tell(head, link.clientGone() ? reply.lost() : reply);
      }
      case LOSE -> {
        lost = head;
        lostReply = link.dialect().reply().lost();
        if (!link.upward().bidFarewellAfterLoss()) {
          endAfterLoss();
        }
      }
      case CLOSE -> endAfterLoss();
      case SWALLOW, MADE_UP -> {}
    }
  }

  private void endAfterLoss() {
    Expected head = lost;
    Reply reply = lostReply;
    if (head != null && reply != null) {
      tell(head, reply);
    }
    link.close();
    if (head != null && head.delivery() != null && reply != null) {
      head.delivery().completed(reply);
    }
  }

  private void tell(Expected head, Reply reply) {
    if (head.command() != null) {
      link.traffic().replied(head.command(), reply);
    }
  }

  /** A reply will be owed; called before what it answers is written to the server. */
  void expect(Expected reply) {
    synchronized (expected) {
      if (!link.isOpaque() || reply.fate() == Expected.Fate.LOSE || reply.madeUp() != null) {
        expected.add(reply);
      }
    }
  }

  /** Whether a reply is outstanding. */
  boolean owed() {
    synchronized (expected) {
      return !expected.isEmpty();
    }
  }

  private @Nullable Expected peek() {
    synchronized (expected) {
      return expected.peek();
    }
  }

  private boolean owesLoss() {
    synchronized (expected) {
      return expected.stream().anyMatch(e -> e.fate() == Expected.Fate.LOSE);
    }
  }

  /** Sends the made-up replies whose turn it is; whoever comes first does so. */
  void writeMadeUp() {
    Expected head = peek();
    if (head == null || (head.fate() != Expected.Fate.MADE_UP && !link.isOpaque())) {
      return;
    }
    lock.lock();
    try {
      if (!relaying) {
        writeMadeUpNow();
      }
    } finally {
      lock.unlock();
    }
  }

  private void writeMadeUpNow() {
    for (Expected head = peek(); head != null; head = peek()) {
      byte[] reply = head.madeUp();
      if (reply == null && !link.isOpaque()) {
        return;
      }
      synchronized (expected) {
        expected.poll();
      }
      if (reply != null) {
        write(reply, 0, reply.length);
      }
    }
  }

  /** Sends last words to the client and closes. */
  void refuse(byte[] reply) {
    lock.lock();
    try {
      write(reply, 0, reply.length);
    } finally {
      lock.unlock();
    }
    link.close();
  }

  private void write(byte[] b, int from, int to) {
    if (from >= to || link.isClosed()) {
      return;
    }
    try {
      toClient.write(b, from, to - from);
    } catch (IOException e) {
      link.clientEnded();
    }
  }

  void discard() {
    Expected[] left;
    synchronized (expected) {
      left = expected.toArray(Expected[]::new);
      expected.clear();
    }
    for (Expected reply : left) {
      if (reply.delivery() != null) {
        reply.delivery().failed();
      }
    }
  }
}
