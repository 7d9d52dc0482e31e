package io.stockproof.verification.wire;

import java.util.Arrays;
import java.util.BitSet;

/** A prepared statement of one connection. */
final class Prepared {
  final String text;
  final SqlText reading;

  /** From the server's reply; until then counted in the text. */
  volatile int parameters;

  /** Parameters that came by COM_STMT_SEND_LONG_DATA since the last execution. Client thread. */
  final BitSet sentAhead = new BitSet();

  /** Types of the last execution that named them. Client thread. */
  private int[] types = {};

  Prepared(String text) {
    this.text = text;
    this.reading = SqlText.read(text);
    this.parameters = SqlText.placeholders(text);
  }

  int[] types() {
    return types;
  }

  void bind(int[] newTypes) {
    types = Arrays.copyOf(newTypes, newTypes.length);
  }
}
