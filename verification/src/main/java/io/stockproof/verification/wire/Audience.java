package io.stockproof.verification.wire;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The traffic of one proxy, with its exceptions kept from the connections. */
final class Audience {
  private static final Logger log = LoggerFactory.getLogger(Audience.class);

  private final Traffic traffic;
  private final String label;
  private final Command.Store store;
  private final Tally tally;

  Audience(Traffic traffic, String label, Command.Store store, Tally tally) {
    this.traffic = traffic;
    this.label = label;
    this.store = store;
    this.tally = tally;
  }

  /** Whether nobody looks, so that frames need not wait for a decision. */
  boolean passive() {
    return traffic == Traffic.PASS;
  }

  void opened(int connection) {
    guard(() -> traffic.connectionOpened(connection, label, store));
  }

  void closed(int connection) {
    guard(() -> traffic.connectionClosed(connection, label, store));
  }

  void arrived(Command command) {
    if (command.housekeeping()) {
      tally.housekeeping.increment();
      guard(() -> traffic.passed(command));
    } else {
      tally.commands.increment();
      guard(() -> traffic.arrived(command));
    }
  }

  void replied(Command command, Reply reply) {
    guard(() -> traffic.replied(command, reply));
  }

  private void guard(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error e) {
      tally.failures.increment();
      log.error("event=traffic-failed proxy={}", label, e);
    }
  }
}
