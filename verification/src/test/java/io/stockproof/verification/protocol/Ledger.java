package io.stockproof.verification.protocol;

/** The coupon's row, the rows of users, and who holds the row lock. */
final class Ledger {

  int counter;

  /** By user: the token on the row, or 0. */
  final int[] row = new int[State.USERS];

  int epoch = 1;

  /** Number of the request whose transaction is open and holds the lock, or -1. */
  int lock = -1;

  Ledger copy() {
    Ledger copy = new Ledger();
    copy.counter = counter;
    System.arraycopy(row, 0, copy.row, 0, row.length);
    copy.epoch = epoch;
    copy.lock = lock;
    return copy;
  }

  boolean has(int user) {
    return row[user] != 0;
  }

  /** Users with rows, as bits. */
  int users() {
    int users = 0;
    for (int user = 0; user < row.length; user++) {
      users |= has(user) ? 1 << user : 0;
    }
    return users;
  }

  int rows() {
    return Integer.bitCount(users());
  }

  boolean locked() {
    return lock >= 0;
  }

  /** Ends the transaction of the request, if it has one. */
  void rollback(int request) {
    if (lock == request) {
      lock = -1;
    }
  }

  void fields(Codec codec) {
    counter = codec.bits(counter, 2);
    for (int user = 0; user < State.ASKING_USERS; user++) {
      row[user] = codec.bits(row[user], 2);
    }
    epoch = codec.bits(epoch, 3);
    lock = codec.bits(lock + 1, 3) - 1;
  }
}
