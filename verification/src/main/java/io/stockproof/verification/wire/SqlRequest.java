package io.stockproof.verification.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * A decoded command of the MySQL protocol.
 *
 * @param name see {@link Command#name}
 * @param statement SQL text
 * @param parameters of a prepared statement
 * @param housekeeping see {@link Command#housekeeping}
 */
record SqlRequest(String name, String statement, List<String> parameters, boolean housekeeping)
    implements Decoded {

  private static final int NAMES_NEW_TYPES = 1;

  /** Code, statement id, flags and iteration count of COM_STMT_EXECUTE. */
  private static final int FIXED_PART = 10;

  /** A command that is no statement. */
  static SqlRequest service(String name) {
    return new SqlRequest(name, name, List.of(), true);
  }

  /** A statement. */
  static SqlRequest statement(
      SqlText reading, String text, List<String> parameters, boolean inTransaction) {
    boolean housekeeping = reading.housekeeping() && !(reading.endsTransaction() && inTransaction);
    return new SqlRequest(reading.name(), text, parameters, housekeeping);
  }

  /** The parameters of COM_STMT_EXECUTE; empty if they cannot be decoded. */
  static List<String> parameters(byte[] frame, Prepared prepared) {
    int count = prepared.parameters;
    if (count == 0) {
      return List.of();
    }
    Slice in = new Slice(frame, MysqlPackets.HEADER + FIXED_PART, frame.length);
    int nulls = in.at();
    in.skip((count + 7) / 8);
    if (in.u8() == NAMES_NEW_TYPES) {
      int[] types = new int[count];
      for (int i = 0; i < count; i++) {
        types[i] = in.u16();
      }
      if (in.overrun()) {
        return List.of();
      }
      prepared.bind(types);
    }
    int[] types = prepared.types();
    List<String> parameters = new ArrayList<>(count);
    for (int i = 0; i < count && i < types.length && !in.overrun(); i++) {
      boolean isNull = (frame[nulls + i / 8] & 1 << (i % 8)) != 0;
      if (prepared.sentAhead.get(i)) {
        parameters.add("…");
      } else {
        parameters.add(isNull ? "NULL" : BinaryValues.read(types[i], in));
      }
    }
    return in.overrun() ? List.of() : List.copyOf(parameters);
  }

  @Override
  public List<String> keys() {
    return List.of();
  }

  @Override
  public boolean keysKnown() {
    return false;
  }

  @Override
  public boolean queuedByServer() {
    return false;
  }
}
