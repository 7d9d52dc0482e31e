package io.stockproof.verification.protocol;

/** Writes the fields of a state into bits, or reads them back, in one and the same order. */
abstract class Codec {

  /** Writes the value, or ignores it; answers what is there. */
  abstract int bits(int value, int width);

  final boolean flag(boolean value) {
    return bits(value ? 1 : 0, 1) == 1;
  }

  /** Writes into as many words as it takes. */
  static final class Writer extends Codec {
    private final long[] words;
    private int at;

    Writer(long[] words) {
      this.words = words;
    }

    @Override
    int bits(int value, int width) {
      if (value >>> width != 0) {
        throw new IllegalStateException(value + " does not fit into " + width + " bits");
      }
      int word = at >>> 6;
      int shift = at & 63;
      words[word] |= (long) value << shift;
      if (shift + width > 64) {
        words[word + 1] |= (long) value >>> (64 - shift);
      }
      at += width;
      return value;
    }

    /** How many bits were written. */
    int size() {
      return at;
    }
  }

  /** Reads what a {@link Writer} wrote. */
  static final class Reader extends Codec {
    private final long[] words;
    private final int first;
    private int at;

    Reader(long[] words, int first) {
      this.words = words;
      this.first = first;
    }

    @Override
    int bits(int value, int width) {
      int word = first + (at >>> 6);
      int shift = at & 63;
      long read = words[word] >>> shift;
      if (shift + width > 64) {
        read |= words[word + 1] << (64 - shift);
      }
      at += width;
      return (int) (read & ((1L << width) - 1));
    }
  }
}
