package io.stockproof.verification.wire;

/**
 * Finds the end of RESP2 and RESP3 values in a stream that comes in pieces of any size. Not
 * thread-safe. Streamed values ({@code $?}) are not known to any server and lead to {@link
 * Dialect#LOST}. See the Redis serialization protocol specification.
 */
final class RespScanner {

  /** As the server's own limit, proto-max-bulk-len. */
  private static final long LONGEST_BULK = 512L << 20;

  private static final int LONGEST_INLINE = 64 << 10;
  private static final int MOST_DIGITS = 19;

  private final boolean requests;

  /** Values still to come until the outermost one is complete; 0 between values. */
  private long remaining;

  /** Type byte of the header being read, 0 between headers, {@code i} for an inline request. */
  private byte type;

  private byte outermost;
  private long number;
  private boolean negative;
  private int digits;
  private int length;
  private boolean afterReturn;
  private long skip;

  /**
   * Makes a scanner.
   *
   * @param requests whether a value may also be an inline command
   */
  RespScanner(boolean requests) {
    this.requests = requests;
  }

  /** Type byte of the value being read or just ended. */
  byte outermost() {
    return outermost;
  }

  /** Whether no value has begun. */
  boolean between() {
    return remaining == 0;
  }

  /** See {@link Dialect#clientFrame}. */
  int next(byte[] b, int from, int to) {
    int i = from;
    while (i < to) {
      if (skip > 0) {
        int step = (int) Math.min(skip, to - i);
        i += step;
        skip -= step;
        if (skip == 0 && --remaining == 0) {
          return i;
        }
      } else if (type == 0) {
        if (!begin(b[i++])) {
          return Dialect.LOST;
        }
        if (remaining == 0) {
          return i;
        }
      } else {
        int state = header(b[i++]);
        if (state < 0) {
          return Dialect.LOST;
        }
        if (state > 0 && remaining == 0) {
          return i;
        }
      }
    }
    return Dialect.MORE;
  }

  private boolean begin(byte first) {
    if (remaining == 0) {
      remaining = 1;
      outermost = first;
    }
    type = first;
    number = 0;
    negative = false;
    digits = 0;
    length = 0;
    afterReturn = false;
    if (requests && outermost == first && first != '*') {
      boolean emptyLine = first == '\n';
      type = emptyLine ? 0 : (byte) 'i';
      remaining = emptyLine ? 0 : 1;
      return true;
    }
    return "+-:,#_($=!*~>%|".indexOf(first) >= 0;
  }

  /** One more byte of a header: 1 if that ended it, 0 if not, -1 if it makes no sense. */
  private int header(byte c) {
    if (type == 'i') {
      return inline(c);
    }
    if (afterReturn) {
      return c == '\n' ? ended() : -1;
    }
    if (c == '\r') {
      afterReturn = true;
      return 0;
    }
    return !isCounted() || digit(c) ? 0 : -1;
  }

  private int inline(byte c) {
    if (c == '\n') {
      type = 0;
      remaining = 0;
      return 1;
    }
    return ++length > LONGEST_INLINE ? -1 : 0;
  }

  private boolean isCounted() {
    return "$=!*~>%|".indexOf(type) >= 0;
  }

  private boolean digit(byte c) {
    if (c == '-' && digits == 0 && !negative) {
      negative = true;
      return true;
    }
    if (c < '0' || c > '9' || ++digits > MOST_DIGITS - 1) {
      return false;
    }
    number = number * 10 + (c - '0');
    return true;
  }

  private int ended() {
    byte header = type;
    type = 0;
    if (isLine(header)) {
      remaining--;
      return 1;
    }
    if (digits == 0 || number > Integer.MAX_VALUE) {
      return -1;
    }
    if (negative) {
      remaining--;
      return 1;
    }
    switch (header) {
      case '*', '~', '>' -> remaining += number - 1;
      case '%' -> remaining += 2 * number - 1;
      case '|' -> remaining += 2 * number;
      default -> {
        if (number > LONGEST_BULK) {
          return -1;
        }
        skip = number + 2;
      }
    }
    return 1;
  }

  private static boolean isLine(byte header) {
    return "+-:,#_(".indexOf(header) >= 0;
  }
}
