package io.stockproof.verification.rules;

/** Whether something was so, as far as a history can tell. */
enum Truth {
  YES,
  NO,
  /** The history does not show it. */
  UNKNOWN
}
