package io.stockproof.verification.wire;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Writes down what passes, forwards it, and holds or treats otherwise what it is told to. */
final class Scribe implements Traffic {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** A reply and what it answers. */
  record Answered(Command command, Reply reply) {}

  final List<Command> seen = new CopyOnWriteArrayList<>();
  final List<Command> passed = new CopyOnWriteArrayList<>();
  final List<Answered> answered = new CopyOnWriteArrayList<>();
  final List<Integer> closed = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Command> held = new LinkedBlockingQueue<>();
  private volatile Predicate<Command> treats = c -> false;
  private volatile Consumer<Command> treatment = held::add;

  /** From now on such commands are held. */
  void hold(Predicate<Command> which) {
    treatment = held::add;
    treats = which;
  }

  /** From now on such commands are treated so. */
  void treat(Predicate<Command> which, Consumer<Command> how) {
    treatment = how;
    treats = which;
  }

  void forwardAll() {
    treats = c -> false;
  }

  Command nextHeld() {
    try {
      Command command = held.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      if (command == null) {
        throw new AssertionError("nothing was held; seen: " + seen);
      }
      return command;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  boolean holdsNothing() {
    return held.isEmpty();
  }

  List<String> names() {
    return seen.stream().map(Command::name).toList();
  }

  Reply replyTo(Predicate<Command> which) {
    return answered.stream()
        .filter(a -> which.test(a.command()))
        .reduce((first, last) -> last)
        .orElseThrow(() -> new AssertionError("no reply; seen: " + seen))
        .reply();
  }

  static Predicate<Command> named(String name) {
    return command -> command.name().equals(name);
  }

  @Override
  public void arrived(Command command) {
    seen.add(command);
    if (treats.test(command)) {
      treatment.accept(command);
    } else {
      command.forward();
    }
  }

  @Override
  public void passed(Command command) {
    passed.add(command);
  }

  @Override
  public void replied(Command command, Reply reply) {
    answered.add(new Answered(command, reply));
  }

  @Override
  public void connectionClosed(int connection, String instance, Command.Store store) {
    closed.add(connection);
  }
}
