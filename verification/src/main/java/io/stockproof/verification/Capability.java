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
  /** Recovers by itself from crashes and lost data (R205, R501). */
  RECOVERY,
  /**
   * {@link Subject.Instance#reconcile} and {@link Subject.Instance#rebuild} do that at once, on the
   * caller's thread, so that a search can have it done at any place beside the requests.
   */
  RECOVERY_ON_DEMAND,
  /**
   * What a refusal costs the database is judged (R401, R402): it is meant to cost nothing, or is
   * the measure beside which that is seen.
   */
  CHEAP_REFUSAL,
  /** {@link Subject.Instance#open} opens the coupon, also one that is open (R602). */
  OPENING,
  /**
   * Refuses user ids that are null, empty, longer than 64, or hold spaces or characters beyond
   * ASCII, and coupon ids below 1 (R603).
   */
  INPUT_CHECKS,
  /**
   * User ids are numbers. Who does not claim it is also asked by users called {@code Ab} and {@code
   * ab}, who are two people in both stores or in neither.
   */
  NUMERIC_IDS
}
