package io.stockproof.verification.explore;

import java.util.Map;

/**
 * One thing that a command reads, locks or makes visible.
 *
 * @param place a Redis key ({@code redis:coupon:{1}:stock}), a table ({@code db:coupon}), what an
 *     instance keeps in its own memory ({@code jvm:0}), or a whole store ({@code redis:*}, {@code
 *     db:*})
 * @param row name of a unique key of the table → the values that pick a row by it; empty means any
 *     row
 * @param mode what is done
 */
record Access(String place, Map<String, String> row, Mode mode) {

  enum Mode {
    /** A read that waits for nobody and sees only what was made visible. */
    READ,
    /** A lock that others may share but that is in the way of {@link #LOCK}. */
    SHARE,
    /** A lock on existing rows, taken by a locking read or by a write that is not yet committed. */
    LOCK,
    /**
     * A new row that is not yet committed: in the way of another only where a unique key says so.
     */
    INSERT,
    /** An effect that others see from here on. */
    WRITE
  }

  Access {
    row = Map.copyOf(row);
  }

  static Access whole(String store, Mode mode) {
    return new Access(store + ":*", Map.of(), mode);
  }

  /** Being alive, for a step of an instance; its end, for a step that kills it. */
  static Access life(int instance, Mode mode) {
    return new Access("life:" + instance, Map.of(), mode);
  }

  boolean insideInstance() {
    return place.startsWith("jvm:") || place.startsWith("wire:");
  }

  boolean endsOthers() {
    return mode == Mode.WRITE && place.startsWith("life:");
  }

  /** Whether the order of the two can matter to anyone. */
  boolean conflictsWith(Access other) {
    if (!samePlace(other) || !modesConflict(other)) {
      return false;
    }
    boolean bothNew = mode == Mode.INSERT && other.mode == Mode.INSERT;
    boolean sharesKey = false;
    for (Map.Entry<String, String> key : row.entrySet()) {
      String theirs = other.row.get(key.getKey());
      if (theirs == null) {
        continue;
      }
      boolean same = theirs.equals(key.getValue());
      if (bothNew && same) {
        return true;
      }
      if (!bothNew && !same) {
        return false;
      }
      sharesKey |= same;
    }
    return !bothNew || sharesKey;
  }

  private boolean samePlace(Access other) {
    return place.equals(other.place) || covers(other) || other.covers(this);
  }

  private boolean covers(Access other) {
    return place.endsWith(":*") && other.place.startsWith(place.substring(0, place.length() - 1));
  }

  private boolean modesConflict(Access other) {
    if (mode == Mode.READ) {
      return other.mode == Mode.WRITE;
    }
    if (other.mode == Mode.READ) {
      return mode == Mode.WRITE;
    }
    return mode != Mode.SHARE || other.mode != Mode.SHARE;
  }
}
