package io.stockproof.verification.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Bytes of a client as text for people: UTF-8 where it is, escaped where not. */
final class Printable {
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private Printable() {}

  /** All of it: two different values never look the same. */
  static String text(byte[] b, int from, int length) {
    boolean plain = true;
    for (int i = from; i < from + length && plain; i++) {
      plain = b[i] >= ' ' && b[i] != '\\' && b[i] != 127;
    }
    if (plain) {
      return new String(b, from, length, StandardCharsets.ISO_8859_1);
    }
    return unicode(b, from, length);
  }

  /** At most so many characters of it, with the length if it is more. */
  static String text(byte[] b, int from, int length, int most) {
    if (length <= most) {
      return text(b, from, length);
    }
    return text(b, from, most) + "…(" + length + " bytes)";
  }

  private static String unicode(byte[] b, int from, int length) {
    try {
      String decoded =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(b, from, length))
              .toString();
      return escapedControls(decoded);
    } catch (CharacterCodingException e) {
      return escapedBytes(b, from, length);
    }
  }

  private static String escapedControls(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        out.append("\\\\");
      } else if (c < ' ' || c == 127) {
        escape(out, c);
      } else {
        out.append(c);
      }
    }
    return out.toString();
  }

  private static String escapedBytes(byte[] b, int from, int length) {
    StringBuilder out = new StringBuilder(length * 4);
    for (int i = from; i < from + length; i++) {
      if (b[i] >= ' ' && b[i] != '\\' && b[i] != 127) {
        out.append((char) b[i]);
      } else {
        escape(out, b[i] & 0xff);
      }
    }
    return out.toString();
  }

  private static void escape(StringBuilder out, int value) {
    out.append("\\x").append(HEX[value >> 4]).append(HEX[value & 15]);
  }
}
