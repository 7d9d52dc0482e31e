package io.stockproof.verification.wire;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Client to server: cuts what the client sends into frames, keeps them in order until they are
 * decided, and carries the decisions out.
 */
final class Upward implements Runnable {

  /** A larger frame is passed on in pieces and not understood. */
  private static final int LARGEST_FRAME = 64 << 20;

  /** While more than this waits for decisions, the client is not read. */
  private static final int MOST_WAITING = 10_000;

  private static final int BUFFER = 16 << 10;

  private final Link link;
  private final InputStream fromClient;
  private final OutputStream toServer;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();

  /** In the order of arrival; guarded by the lock. */
  private final ArrayDeque<Frame> waiting = new ArrayDeque<>();

  private long waitingBytes;

  /** Nothing more of the client is sent; guarded by the lock. */
  private boolean ending;

  /** Nothing at all is sent any more; guarded by the lock. */
  private boolean ended;

  /** To be done to the link once the lock is free. */
  private final AtomicReference<Afterwards> afterwards = new AtomicReference<>(Afterwards.NOTHING);

  private enum Afterwards {
    NOTHING,
    CLOSE,
    DROP_CLIENT
  }

  Upward(Link link, InputStream fromClient, OutputStream toServer) {
    this.link = link;
    this.fromClient = fromClient;
    this.toServer = new BufferedOutputStream(toServer, BUFFER);
  }

  @Override
  public void run() {
    try {
      read();
    } catch (IOException e) {
      // The end of a connection, however it came about.
    } finally {
      link.clientEnded();
      endIfDone();
    }
  }

  private void read() throws IOException {
    byte[] buffer = new byte[BUFFER];
    int start = 0;
    int end = 0;
    for (int n; (n = fromClient.read(buffer, end, buffer.length - end)) >= 0; ) {
      int from = end;
      end += n;
      start = frames(buffer, start, from, end);
      if (start == end) {
        start = 0;
        end = 0;
        if (buffer.length > LARGEST_FRAME / 16) {
          buffer = new byte[BUFFER];
        }
      } else if (end == buffer.length) {
        byte[] rest = start > 0 ? buffer : new byte[buffer.length * 2];
        System.arraycopy(buffer, start, rest, 0, end - start);
        buffer = rest;
        end -= start;
        start = 0;
      }
    }
    if (start < end) {
      accept(Frame.raw(Arrays.copyOfRange(buffer, start, end)));
      send();
    }
  }

  /**
   * Takes the complete frames of {@code b[start..end)}, new from {@code from}; where it stopped.
   */
  private int frames(byte[] b, int start, int from, int end) {
    int first = start;
    int next = from;
    while (next < end && !link.isOpaque()) {
      next = link.dialect().clientFrame(b, next, end);
      if (next == Dialect.MORE && end - first < LARGEST_FRAME) {
        send();
        return first;
      }
      if (next < 0) {
        link.becomeOpaque();
        break;
      }
      take(Arrays.copyOfRange(b, first, next));
      first = next;
    }
    if (first < end) {
      accept(Frame.raw(Arrays.copyOfRange(b, first, end)));
    }
    send();
    return end;
  }

  private void take(byte[] bytes) {
    Frame frame = link.dialect().decode(bytes, link);
    if (frame == null) {
      link.becomeOpaque();
      accept(Frame.raw(bytes));
      return;
    }
    byte[] refusal = link.dialect().refusal(frame);
    if (refusal != null) {
      link.downward().refuse(refusal);
      return;
    }
    Command command = frame.command;
    if (command == null) {
      accept(frame);
      return;
    }
    if (link.traffic().passive() && frame.decision == null) {
      frame.decision = Frame.FORWARD;
      link.tally().commands.increment();
      accept(frame);
      return;
    }
    if (link.downward().owed()) {
      link.tally().pipelined.increment();
    }
    if (accept(frame)) {
      if (frame.decision == null) {
        send();
      }
      link.traffic().arrived(command);
    }
  }

  /** Puts a frame into the order; false if the connection is ending. */
  private boolean accept(Frame frame) {
    lock.lock();
    try {
      while ((waiting.size() >= MOST_WAITING || waitingBytes > LARGEST_FRAME) && !ending) {
        room.awaitUninterruptibly();
      }
      if (ending) {
        return false;
      }
      waiting.add(frame);
      waitingBytes += frame.bytes.length;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Sends what is decided. */
  private void send() {
    lock.lock();
    try {
      carryOut();
    } finally {
      lock.unlock();
    }
    act();
  }

  /** False if the connection to the server has ended, so that nothing can be sent. */
  boolean decide(Command command, Frame.Decision decision) {
    boolean alive;
    lock.lock();
    try {
      Frame frame = find(command);
      if (frame == null && ended) {
        return false;
      }
      if (frame == null || frame.decision != null) {
        throw new IllegalStateException("already decided: " + command);
      }
      frame.decision = decision;
      carryOut();
      alive = !ended;
    } finally {
      lock.unlock();
    }
    act();
    if (link.clientGone()) {
      endIfDone();
    }
    return alive;
  }

  private void act() {
    Afterwards act = afterwards.getAndSet(Afterwards.NOTHING);
    if (act == Afterwards.CLOSE) {
      link.close();
    } else if (act == Afterwards.DROP_CLIENT) {
      link.dropClient();
    }
  }

  boolean queuedBehind(Command command) {
    lock.lock();
    try {
      Frame first = waiting.peek();
      return first != null && first.command != command && find(command) != null;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Frame find(Command command) {
    for (Frame frame : waiting) {
      if (frame.command == command) {
        return frame;
      }
    }
    return null;
  }

  private void carryOut() {
    try {
      for (Frame f = waiting.peek(); f != null && !ending; f = waiting.peek()) {
        Frame.Decision decision = f.decision;
        if (decision == null) {
          break;
        }
        waiting.remove();
        waitingBytes -= f.bytes.length;
        carryOut(f, decision);
      }
      toServer.flush();
    } catch (IOException e) {
      // The server is gone; the other direction may still hold its last words, and ends the link.
      stop();
      ended = true;
    }
    room.signalAll();
  }

  private void carryOut(Frame frame, Frame.Decision decision) throws IOException {
    if (frame.command != null) {
      frame.command.freezeTransaction(link.inTransaction());
    }
    if (decision instanceof Frame.Decision.Forward) {
      write(frame, Expected.Fate.PASS);
    } else if (decision instanceof Frame.Decision.Answer answer) {
      answer(frame, answer.error());
    } else if (decision instanceof Frame.Decision.Lose) {
      write(frame, Expected.Fate.LOSE);
      stop();
    } else if (decision instanceof Frame.Decision.Cut) {
      stop();
      farewell();
    } else if (decision instanceof Frame.Decision.Late late) {
      late.delivery().frame = frame;
      stop();
      afterwards.set(Afterwards.DROP_CLIENT);
    }
  }

  private void write(Frame frame, Expected.Fate fate) throws IOException {
    link.dialect().sent(frame);
    if (frame.kind != Frame.NO_REPLY) {
      link.downward().expect(Expected.of(frame, fate));
    }
    toServer.write(frame.bytes);
  }

  private void answer(Frame frame, WireError error) throws IOException {
    byte[] reply = link.dialect().error(frame, error);
    for (Dialect.Own own : link.dialect().amends(frame, error)) {
      ask(own, Expected.Fate.SWALLOW);
    }
    link.downward().expect(Expected.madeUp(frame, reply));
  }

  private void ask(Dialect.Own own, Expected.Fate fate) throws IOException {
    link.downward().expect(Expected.swallowed(own.kind(), fate));
    toServer.write(own.bytes());
  }

  private void stop() {
    ending = true;
    waiting.clear();
    waitingBytes = 0;
    room.signalAll();
  }

  /** Lets the server undo what it undoes for a closed connection; then the link closes. */
  void bidFarewell() {
    lock.lock();
    try {
      stop();
      farewell();
      toServer.flush();
    } catch (IOException e) {
      link.closeLater();
    } finally {
      lock.unlock();
    }
    act();
  }

  /** After a lost reply: as {@link #bidFarewell}; false if there is nothing to undo. */
  boolean bidFarewellAfterLoss() {
    lock.lock();
    try {
      Dialect.Own own = link.dialect().farewell();
      if (own == null) {
        return false;
      }
      ask(own, Expected.Fate.CLOSE);
      toServer.flush();
      link.closeLater();
      return true;
    } catch (IOException e) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void farewell() throws IOException {
    Dialect.Own own = link.downward().owed() ? null : link.dialect().farewell();
    ended = true;
    if (own == null) {
      afterwards.set(Afterwards.CLOSE);
    } else {
      ask(own, Expected.Fate.CLOSE);
      link.closeLater();
    }
  }

  boolean deliver(Delivery delivery) {
    lock.lock();
    try {
      Frame frame = delivery.frame;
      if (frame == null || ended) {
        return false;
      }
      ended = true;
      link.dialect().sent(frame);
      link.downward()
          .expect(new Expected(frame.kind, frame.command, Expected.Fate.LOSE, null, delivery));
      toServer.write(frame.bytes);
      toServer.flush();
      return true;
    } catch (IOException e) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Once the client is gone and nothing of it waits, the server is told so. */
  private void endIfDone() {
    lock.lock();
    try {
      if (!ending && waiting.isEmpty()) {
        stop();
        ended = true;
        link.endInput();
      }
    } finally {
      lock.unlock();
    }
  }

  void discard() {
    lock.lock();
    try {
      stop();
      ended = true;
    } finally {
      lock.unlock();
    }
  }
}
