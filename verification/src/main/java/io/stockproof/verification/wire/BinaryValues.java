package io.stockproof.verification.wire;

import java.util.Locale;

/** Values of the binary protocol as text. See "Binary Protocol Value" in the MySQL internals. */
final class BinaryValues {
  private static final int LONGEST_TEXT = 256;

  private BinaryValues() {}

  /**
   * Reads one value.
   *
   * @param type column type as on the wire, with the unsigned flag as bit 15
   */
  static String read(int type, Slice in) {
    boolean unsigned = (type & 0x8000) != 0;
    return switch (type & 0xff) {
      case 0x01 -> integer(in.number(1), 1, unsigned);
      case 0x02, 0x0d -> integer(in.number(2), 2, unsigned);
      case 0x03, 0x09 -> integer(in.number(4), 4, unsigned);
      case 0x08 -> integer(in.number(8), 8, unsigned);
      case 0x04 -> Float.toString(Float.intBitsToFloat(in.i32()));
      case 0x05 -> Double.toString(Double.longBitsToDouble(in.number(8)));
      case 0x06 -> "NULL";
      case 0x07, 0x0a, 0x0c -> date(in);
      case 0x0b -> time(in);
      default -> in.text(LONGEST_TEXT);
    };
  }

  private static String integer(long bits, int bytes, boolean unsigned) {
    if (unsigned) {
      return Long.toUnsignedString(bits);
    }
    int unused = 64 - 8 * bytes;
    return Long.toString(bits << unused >> unused);
  }

  private static String date(Slice in) {
    int length = in.u8();
    if (length == 0) {
      return "0000-00-00";
    }
    String date = String.format(Locale.ROOT, "%04d-%02d-%02d", in.u16(), in.u8(), in.u8());
    if (length >= 7) {
      date += String.format(Locale.ROOT, " %02d:%02d:%02d", in.u8(), in.u8(), in.u8());
    }
    if (length >= 11) {
      date += String.format(Locale.ROOT, ".%06d", in.i32());
    }
    return date;
  }

  private static String time(Slice in) {
    int length = in.u8();
    if (length == 0) {
      return "00:00:00";
    }
    String sign = in.u8() == 1 ? "-" : "";
    long hours = in.i32() * 24L + in.u8();
    String time = String.format(Locale.ROOT, "%s%02d:%02d:%02d", sign, hours, in.u8(), in.u8());
    return length >= 12 ? time + String.format(Locale.ROOT, ".%06d", in.i32()) : time;
  }
}
