package io.stockproof.verification.protocol;

/** One request: how far it has come, and what its caller was told. */
final class Caller {

  enum At {
    ACQUIRE,
    COUNT,
    INSERT,
    COMMIT,
    EXPLAIN,
    RENEW,
    LOOK_LOCK,
    LOOK_READ,
    RELEASE,
    EXHAUSTED,
    /** From here on the caller has been told, and it is background work. */
    CONFIRM_LATER,
    RELEASE_LATER,
    EXHAUSTED_LATER,
    DONE
  }

  enum Told {
    NOTHING,
    ISSUED,
    DUPLICATE,
    SOLD_OUT,
    UNAVAILABLE,
    UNKNOWN,
    /** The instance died before. */
    CUT_OFF;

    boolean refuses() {
      return this == DUPLICATE || this == SOLD_OUT || this == UNAVAILABLE;
    }
  }

  int user;
  int token;
  At at = At.ACQUIRE;
  Told told = Told.NOTHING;
  int epoch;
  int fenced;

  /** At some moment of the call users with rows and others' reservations made up the total. */
  boolean sawFull;

  /** Its reservation was given to others by a reconciler or a rebuild: it must not write. */
  boolean displaced;

  Caller copy() {
    Caller copy = new Caller();
    copy.user = user;
    copy.token = token;
    copy.at = at;
    copy.told = told;
    copy.epoch = epoch;
    copy.fenced = fenced;
    copy.sawFull = sawFull;
    copy.displaced = displaced;
    return copy;
  }

  boolean asked() {
    return at != At.ACQUIRE;
  }

  boolean done() {
    return at == At.DONE;
  }

  void go(At next) {
    at = next;
    if (next.compareTo(At.LOOK_LOCK) >= 0) {
      epoch = 0;
      fenced = 0;
    }
  }

  void fields(Codec codec) {
    at = At.values()[codec.bits(at.ordinal(), 4)];
    told = Told.values()[codec.bits(told.ordinal(), 3)];
    epoch = codec.bits(epoch, 3);
    fenced = codec.bits(fenced, 2);
    sawFull = codec.flag(sawFull);
    displaced = codec.flag(displaced);
  }
}
