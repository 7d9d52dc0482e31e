package io.stockproof.ledger;

/**
 * Asked around COMMIT, the point of no return, so that a caller who was told UNAVAILABLE meanwhile
 * is never given a row (R302).
 */
public interface CommitPermit {

  /** Whether COMMIT may be sent; after true the caller can only be told UNKNOWN. */
  boolean begin();

  /** COMMIT is known to have failed: nothing was written. */
  void aborted();
}
