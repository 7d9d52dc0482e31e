package io.stockproof.verification.wire;

import java.util.List;

/** What a dialect understood of a command. Immutable, or decoded on demand from immutable bytes. */
interface Decoded {

  String name();

  List<String> keys();

  boolean keysKnown();

  String statement();

  List<String> parameters();

  boolean housekeeping();

  /** Redis: MULTI, or queued by the server until EXEC. */
  boolean queuedByServer();
}
