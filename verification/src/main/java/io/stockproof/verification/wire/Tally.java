package io.stockproof.verification.wire;

import java.util.concurrent.atomic.LongAdder;

/** The counters of one proxy while they grow. */
final class Tally {
  final LongAdder connections = new LongAdder();
  final LongAdder commands = new LongAdder();
  final LongAdder housekeeping = new LongAdder();
  final LongAdder undecoded = new LongAdder();
  final LongAdder pipelined = new LongAdder();
  final LongAdder unmatched = new LongAdder();
  final LongAdder failures = new LongAdder();

  WireCounters read() {
    return new WireCounters(
        connections.sum(),
        commands.sum(),
        housekeeping.sum(),
        undecoded.sum(),
        pipelined.sum(),
        unmatched.sum(),
        failures.sum());
  }
}
