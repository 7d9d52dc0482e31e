package io.stockproof.verification.wire;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What people are told of a reply of the database. Pump thread only. */
final class SqlReplyText {
  private static final int MOST_COLUMNS = 16;
  private static final int LONGEST_VALUE = 128;

  /** Type, flags, decimals and filler at the end of a column definition. */
  private static final int TYPE_FROM_END = 6;

  private static final int UNSIGNED = 0x20;

  private boolean binary;
  private long affected;
  private long rows;
  private long columnCount;
  private final int[] types = new int[MOST_COLUMNS];
  private int columns;
  private List<@Nullable String> values = List.of();
  private @Nullable Reply error;

  void clear(int command) {
    binary =
        command == MysqlPackets.COM_STMT_EXECUTE || command == MysqlPackets.COM_STMT_BULK_EXECUTE;
    affected = -1;
    rows = -1;
    columns = 0;
    columnCount = 0;
    values = List.of();
    error = null;
  }

  void columns(long count) {
    columnCount = count;
    columns = 0;
    rows = 0;
    values = List.of();
  }

  void column(byte[] packet, int there, int length) {
    if (columns < MOST_COLUMNS) {
      boolean whole = there == length && length > TYPE_FROM_END;
      int at = length - TYPE_FROM_END;
      int unsigned = whole && (packet[at + 1] & UNSIGNED) != 0 ? 0x8000 : 0;
      types[columns] = whole ? (packet[at] & 0xff) | unsigned : -1;
    }
    columns++;
  }

  void row(byte[] packet, int there, int length) {
    if (rows < 0) {
      rows = 0;
    }
    if (rows++ == 0 && columnCount > 0 && columnCount <= MOST_COLUMNS && there == length) {
      values = binary ? binaryRow(packet, there) : textRow(packet, there);
    }
  }

  private List<@Nullable String> textRow(byte[] packet, int length) {
    Slice in = new Slice(packet, 0, length);
    List<@Nullable String> row = new ArrayList<>();
    for (int i = 0; i < columnCount && !in.overrun(); i++) {
      if (in.left() > 0 && (packet[in.at()] & 0xff) == MysqlPackets.LOCAL_INFILE) {
        in.skip(1);
        row.add(null);
      } else {
        row.add(in.text(LONGEST_VALUE));
      }
    }
    return in.overrun() ? List.of() : row;
  }

  private List<@Nullable String> binaryRow(byte[] packet, int length) {
    Slice in = new Slice(packet, 1, length);
    in.skip((columnCount + 9) / 8);
    List<@Nullable String> row = new ArrayList<>();
    for (int i = 0; i < columnCount && !in.overrun(); i++) {
      boolean isNull = (packet[1 + (i + 2) / 8] & 1 << ((i + 2) % 8)) != 0;
      if (types[i] < 0) {
        return List.of();
      }
      row.add(isNull ? null : BinaryValues.read(types[i], in));
    }
    return in.overrun() ? List.of() : row;
  }

  void ok(long affectedRows) {
    affected = affectedRows;
  }

  void error(int code, Slice in) {
    if (error == null) {
      String message = in.rest();
      boolean hasState = message.length() > 6 && message.charAt(0) == '#';
      error = Reply.error(code, hasState ? message.substring(6) : message);
    }
  }

  Reply reply() {
    if (error != null) {
      return error;
    }
    return rows >= 0 ? Reply.rows(rows, values) : Reply.status("", affected);
  }
}
