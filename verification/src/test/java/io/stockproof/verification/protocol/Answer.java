package io.stockproof.verification.protocol;

/**
 * What a store answers.
 *
 * @param word of a script; of the database, what came of the statement
 * @param number an epoch or a count where there is one, else -1
 */
record Answer(Word word, int number) {

  enum Word {
    ACQUIRED,
    DUPLICATE,
    IN_FLIGHT,
    SOLD_OUT_SETTLED,
    SOLD_OUT,
    MISSING,
    REBUILDING,
    CORRUPT,
    RELEASED,
    NOTHING,
    CONFIRMED,
    EMPTIED,
    RENEWED,
    LOST,
    FOUND,
    SETTLED,
    BEGUN,
    BUSY,
    OVERTAKEN,
    INSTALLED,
    BUILT,
    COUNTED,
    NOT_COUNTED,
    INSERTED,
    ALREADY_THERE,
    COMMITTED,
    READ,
    LOCKED,
    /** Nothing was answered. */
    NONE
  }

  static Answer of(Word word) {
    return new Answer(word, -1);
  }
}
