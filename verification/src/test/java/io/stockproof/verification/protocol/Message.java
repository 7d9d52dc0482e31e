package io.stockproof.verification.protocol;

/**
 * A script, or a COMMIT, on its way to a server.
 *
 * @param kind which
 * @param by number of the request or rebuild; 0 for the reconciler
 * @param epoch it carries, or 0
 * @param users it names, as bits; one user as its number
 * @param rows which of the users have rows, as bits; for the end of a rebuild how many there are
 * @param tokens of the users, two bits each
 */
record Message(Kind kind, int by, int epoch, int users, int rows, int tokens) {

  enum Kind {
    ACQUIRE,
    RELEASE,
    CONFIRM,
    EXHAUSTED,
    RENEW,
    SETTLE,
    BEGIN,
    INSTALL,
    FINISH,
    COMMIT
  }

  static final int BITS = 4 + 2 + 3 + 3 + 3 + 6;

  static Message of(Kind kind, int by) {
    return new Message(kind, by, 0, 0, 0, 0);
  }

  int token(int user) {
    return tokens >> (2 * user) & 3;
  }

  int packed() {
    return kind.ordinal() | by << 4 | epoch << 6 | users << 9 | rows << 12 | tokens << 15;
  }

  static Message unpacked(int bits) {
    return new Message(
        Kind.values()[bits & 15],
        bits >> 4 & 3,
        bits >> 6 & 7,
        bits >> 9 & 7,
        bits >> 12 & 7,
        bits >> 15 & 63);
  }
}
