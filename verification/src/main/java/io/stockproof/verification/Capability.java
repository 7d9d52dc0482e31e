package io.stockproof.verification;

/** What a subject claims; it drives which rules are required of it. */
public enum Capability {
  /** Right with two or more instances on the same stores (R701). */
  MULTI_INSTANCE,
  /** Has a gate in Redis whose stock and users are kept in step with the rows (R104, R203). */
  GATE,
  /** Can do its background work when asked, so that explored runs repeat exactly. */
  RESOLVE_ON_DEMAND,
  /** Knows a window in which the coupon may be issued, and closing (R601). */
  WINDOW,
  /** Recovers by itself from crashes and lost data (R2xx after faults, R5xx). */
  RECOVERY,
  /**
   * User ids are numbers. Who does not claim it is also asked by users called {@code Ab} and {@code
   * ab}, who are two people in both stores or in neither.
   */
  NUMERIC_IDS,
  /** A refusal after the sale does not touch the database (R401, R402). */
  CHEAP_REFUSAL
}
