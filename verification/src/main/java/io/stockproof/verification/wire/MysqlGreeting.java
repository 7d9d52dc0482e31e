package io.stockproof.verification.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The server's first packet, protocol version 10.
 *
 * @param connectionId the server's number of this connection
 * @param capabilities what it still offers
 */
record MysqlGreeting(long connectionId, int capabilities) {
  private static final int VERSION = 10;

  /** Zeros; MariaDB keeps its extended capabilities in the last four. */
  private static final int RESERVED = 10;

  private static final int MOST = 4_096;

  /** Reads one packet, header included. */
  static byte[] read(InputStream server) throws IOException {
    byte[] header = server.readNBytes(MysqlPackets.HEADER);
    if (header.length < MysqlPackets.HEADER) {
      throw new EOFException("no greeting");
    }
    int length = (int) new Slice(header, 0, header.length).number(3);
    if (length > MOST) {
      throw new IOException("no greeting of MySQL: " + length + " bytes");
    }
    byte[] packet = Arrays.copyOf(header, MysqlPackets.HEADER + length);
    if (server.readNBytes(packet, MysqlPackets.HEADER, length) < length) {
      throw new EOFException("half a greeting");
    }
    return packet;
  }

  /** Clears in place what the proxy does not speak; null if the packet is no greeting. */
  static @Nullable MysqlGreeting restrict(byte[] packet) {
    Slice in = new Slice(packet, MysqlPackets.HEADER, packet.length);
    if (in.u8() != VERSION) {
      return null;
    }
    while (in.left() > 0 && in.u8() != 0) {
      // The version text ends with a zero.
    }
    long connectionId = in.number(4);
    in.skip(9);
    int lower = in.at();
    int offered = in.u16();
    in.skip(3);
    int upper = in.at();
    offered |= in.u16() << 16;
    in.skip(1);
    int reserved = in.at();
    in.skip(RESERVED);
    if (in.overrun()) {
      return null;
    }
    int kept = offered & ~MysqlPackets.NOT_OFFERED;
    packet[lower] = (byte) kept;
    packet[lower + 1] = (byte) (kept >> 8);
    packet[upper] = (byte) (kept >> 16);
    packet[upper + 1] = (byte) (kept >> 24);
    Arrays.fill(packet, reserved, reserved + RESERVED, (byte) 0);
    return new MysqlGreeting(connectionId, kept);
  }
}
