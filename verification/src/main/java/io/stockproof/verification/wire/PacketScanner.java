package io.stockproof.verification.wire;

/**
 * Finds the end of what a client of MySQL sends at once: one packet, and those that go on with it
 * where it is longer than 16 MB. Not thread-safe.
 */
final class PacketScanner {
  private int headerBytes;
  private int length;
  private int skip;

  /** See {@link Dialect#clientFrame}. */
  int next(byte[] b, int from, int to) {
    int i = from;
    while (i < to) {
      if (headerBytes < MysqlPackets.HEADER) {
        if (headerBytes < 3) {
          length |= (b[i] & 0xff) << (8 * headerBytes);
        }
        i++;
        if (++headerBytes == MysqlPackets.HEADER) {
          skip = length;
        }
      } else {
        int step = Math.min(skip, to - i);
        skip -= step;
        i += step;
      }
      if (headerBytes == MysqlPackets.HEADER && skip == 0) {
        boolean more = length == MysqlPackets.LONGEST;
        headerBytes = 0;
        length = 0;
        if (!more) {
          return i;
        }
      }
    }
    return Dialect.MORE;
  }
}
