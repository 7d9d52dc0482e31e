package io.stockproof.verification.wire;

/**
 * Reads the protocol's numbers and strings from bytes that may end too soon: then it yields zeros
 * and says so. Not thread-safe.
 */
final class Slice {
  private final byte[] b;
  private final int end;
  private int at;
  private boolean overrun;

  Slice(byte[] b, int from, int end) {
    this.b = b;
    this.at = from;
    this.end = Math.min(end, b.length);
  }

  /** Whether more was asked for than there was. */
  boolean overrun() {
    return overrun;
  }

  int at() {
    return at;
  }

  int left() {
    return end - at;
  }

  void skip(long bytes) {
    if (bytes < 0 || bytes > left()) {
      overrun = true;
      at = end;
    } else {
      at += (int) bytes;
    }
  }

  int u8() {
    return (int) number(1);
  }

  int u16() {
    return (int) number(2);
  }

  int i32() {
    return (int) number(4);
  }

  /** Little-endian, up to 8 bytes. */
  long number(int bytes) {
    if (left() < bytes) {
      overrun = true;
      at = end;
      return 0;
    }
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (b[at++] & 0xffL) << (8 * i);
    }
    return value;
  }

  /** A length-encoded integer; -1 for NULL. */
  long encoded() {
    int first = u8();
    return switch (first) {
      case 0xfb -> -1;
      case 0xfc -> number(2);
      case 0xfd -> number(3);
      case 0xfe -> number(8);
      default -> first;
    };
  }

  /** A length-encoded string, shortened. */
  String text(int most) {
    long length = encoded();
    int from = at;
    skip(length);
    if (overrun) {
      return "";
    }
    return Printable.text(b, from, (int) length, most);
  }

  /** The rest as text. */
  String rest() {
    int from = at;
    at = end;
    return Printable.text(b, from, end - from);
  }
}
