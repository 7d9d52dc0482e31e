package io.stockproof.verification.protocol;

import java.util.Arrays;

/** States seen so far, each once, in the order in which they were found, and whence. */
final class StateStore {

  private final int width;
  private long[] words;
  private int[] parents = new int[1 << 16];
  private int[] table = new int[1 << 18];
  private int size;

  /** For states of so many words. */
  StateStore(int width) {
    this.width = width;
    this.words = new long[width << 16];
  }

  int size() {
    return size;
  }

  int parent(int index) {
    return parents[index];
  }

  State state(Scope scope, int index) {
    return State.decode(scope, words, index * width);
  }

  /** True if it was not known. */
  boolean add(long[] state, int parent) {
    int mask = table.length - 1;
    int slot = hash(state, 0) & mask;
    while (table[slot] != 0) {
      if (same(state, (table[slot] - 1) * width)) {
        return false;
      }
      slot = (slot + 1) & mask;
    }
    if (size == parents.length) {
      words = Arrays.copyOf(words, words.length * 2);
      parents = Arrays.copyOf(parents, parents.length * 2);
    }
    System.arraycopy(state, 0, words, size * width, width);
    parents[size] = parent;
    table[slot] = ++size;
    if (size * 2 > table.length) {
      grow();
    }
    return true;
  }

  private boolean same(long[] state, int first) {
    for (int i = 0; i < width; i++) {
      if (words[first + i] != state[i]) {
        return false;
      }
    }
    return true;
  }

  private int hash(long[] from, int first) {
    long hash = 0;
    for (int i = 0; i < width; i++) {
      hash = (hash ^ from[first + i]) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 32;
    }
    return (int) hash;
  }

  private void grow() {
    int[] larger = new int[table.length * 2];
    int mask = larger.length - 1;
    for (int index = 0; index < size; index++) {
      int slot = hash(words, index * width) & mask;
      while (larger[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      larger[slot] = index + 1;
    }
    table = larger;
  }
}
