package io.stockproof.verification.protocol;

/** What can go wrong; each costs one of a scope's faults. */
enum Fault {
  /** A script is sent twice: its reply was lost and the client asks again, or a copy comes late. */
  COPY,
  /** Whoever sent a script waits no longer; it may arrive later, or never. */
  NO_ANSWER,
  /** Redis refuses a script: out of memory, read-only, loading. */
  REFUSED,
  /** The database answers with an error, or the connection ends before COMMIT was sent. */
  DATABASE_ERROR,
  /** The server rolls the transaction back: deadlock, lock wait. */
  CONFLICT,
  /** The connection ends before COMMIT arrives. */
  COMMIT_LOST,
  /** COMMIT is executed, its reply is lost. */
  COMMIT_UNANSWERED,
  /** The client is cut off while COMMIT is on its way. */
  COMMIT_LATE,
  /** The caller's time is over. */
  DEADLINE,
  /** The instance dies. */
  CRASH,
  /** Every key of the coupon is gone. */
  ALL_KEYS,
  /** One key is gone. */
  ONE_KEY,
  /** Redis comes back as it was some time ago. */
  FAILOVER
}
