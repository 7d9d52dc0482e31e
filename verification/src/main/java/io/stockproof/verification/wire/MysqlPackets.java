package io.stockproof.verification.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Numbers and packets of the MySQL client/server protocol, as its manual names them. */
final class MysqlPackets {
  /** Three bytes of length, one of sequence. */
  static final int HEADER = 4;

  /** A packet of this length is continued by the next. */
  static final int LONGEST = 0xffffff;

  static final int OK = 0x00;
  static final int LOCAL_INFILE = 0xfb;
  static final int EOF = 0xfe;
  static final int ERR = 0xff;

  static final int COM_QUIT = 0x01;
  static final int COM_QUERY = 0x03;
  static final int COM_FIELD_LIST = 0x04;
  static final int COM_STATISTICS = 0x09;
  static final int COM_CHANGE_USER = 0x11;
  static final int COM_BINLOG_DUMP = 0x12;
  static final int COM_TABLE_DUMP = 0x13;
  static final int COM_REGISTER_SLAVE = 0x15;
  static final int COM_STMT_PREPARE = 0x16;
  static final int COM_STMT_EXECUTE = 0x17;
  static final int COM_STMT_SEND_LONG_DATA = 0x18;
  static final int COM_STMT_CLOSE = 0x19;
  static final int COM_SET_OPTION = 0x1b;
  static final int COM_STMT_FETCH = 0x1c;
  static final int COM_BINLOG_DUMP_GTID = 0x1e;
  static final int COM_RESET_CONNECTION = 0x1f;
  static final int COM_STMT_BULK_EXECUTE = 0xfa;

  static final int CLIENT_COMPRESS = 1 << 5;
  static final int CLIENT_SSL = 1 << 11;
  static final int CLIENT_DEPRECATE_EOF = 1 << 24;
  static final int CLIENT_OPTIONAL_RESULTSET_METADATA = 1 << 25;
  static final int CLIENT_ZSTD = 1 << 26;
  static final int CLIENT_QUERY_ATTRIBUTES = 1 << 27;

  /** What the proxy does not speak, and so takes out of the server's offer. */
  static final int NOT_OFFERED =
      CLIENT_COMPRESS
          | CLIENT_SSL
          | CLIENT_OPTIONAL_RESULTSET_METADATA
          | CLIENT_ZSTD
          | CLIENT_QUERY_ATTRIBUTES;

  /** Of these, what changes the packets that follow and no byte of the login itself. */
  static final int NOT_GRANTED = CLIENT_OPTIONAL_RESULTSET_METADATA | CLIENT_QUERY_ATTRIBUTES;

  static final int STATUS_IN_TRANS = 0x01;
  static final int STATUS_AUTOCOMMIT = 0x02;
  static final int STATUS_MORE_RESULTS = 0x08;
  static final int STATUS_CURSOR_EXISTS = 0x40;

  private MysqlPackets() {}

  /** Name of a command that carries no statement. */
  static String name(int code) {
    return switch (code) {
      case 0x02 -> "INIT_DB";
      case COM_FIELD_LIST -> "FIELD_LIST";
      case COM_STATISTICS -> "STATISTICS";
      case 0x0e -> "PING";
      case COM_CHANGE_USER -> "CHANGE_USER";
      case 0x1a -> "STMT_RESET";
      case COM_SET_OPTION -> "SET_OPTION";
      case COM_STMT_FETCH -> "STMT_FETCH";
      case COM_RESET_CONNECTION -> "RESET_CONNECTION";
      default -> String.format(Locale.ROOT, "COM_0x%02X", code);
    };
  }

  /** A command without arguments, or with a text. */
  static byte[] command(int code, String text) {
    byte[] arguments = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream packet = new ByteArrayOutputStream();
    packet.write(code);
    packet.writeBytes(arguments);
    return packet(0, packet.toByteArray());
  }

  /** An error after the greeting: with its SQL state. */
  static byte[] error(int sequence, WireError error) {
    ByteArrayOutputStream packet = new ByteArrayOutputStream();
    code(packet, error);
    packet.write('#');
    packet.writeBytes(error.sqlState().getBytes(StandardCharsets.US_ASCII));
    packet.writeBytes(error.text().getBytes(StandardCharsets.UTF_8));
    return packet(sequence, packet.toByteArray());
  }

  /** An error in place of the greeting: no capabilities are agreed on yet, so no SQL state. */
  static byte[] greetingError(WireError error) {
    ByteArrayOutputStream packet = new ByteArrayOutputStream();
    code(packet, error);
    packet.writeBytes(error.text().getBytes(StandardCharsets.UTF_8));
    return packet(0, packet.toByteArray());
  }

  private static void code(ByteArrayOutputStream packet, WireError error) {
    packet.write(ERR);
    packet.write(error.code());
    packet.write(error.code() >> 8);
  }

  private static byte[] packet(int sequence, byte[] payload) {
    byte[] packet = new byte[HEADER + payload.length];
    packet[0] = (byte) payload.length;
    packet[1] = (byte) (payload.length >> 8);
    packet[2] = (byte) (payload.length >> 16);
    packet[3] = (byte) sequence;
    System.arraycopy(payload, 0, packet, HEADER, payload.length);
    return packet;
  }
}
