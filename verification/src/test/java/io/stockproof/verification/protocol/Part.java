package io.stockproof.verification.protocol;

/**
 * A part of the protocol that can be left out, to see what it is for. What stands in its place is
 * the obvious simpler thing.
 */
enum Part {
  /** Instead: one less on acquire, one more on release. */
  STOCK_AS_DIFFERENCE,
  /** Instead: an empty set or hash does not exist, as Redis has it. */
  SENTINELS,
  /** Instead: confirm only takes away the reservation that carries the token. */
  CONFIRM_BY_ROW,
  /** Instead: the counting UPDATE does not ask for the epoch. */
  EPOCH_IN_UPDATE,
  /** Instead: whoever is not counted does not look whether the user has a row. */
  OWN_ROW_FIRST,
  /** Instead: whoever is not counted takes the coupon for full, whatever its epoch. */
  FENCED_IS_NOT_FULL,
  /** Instead: after a COMMIT without an answer a plain look, behind no lock. */
  LOOKUP_BEHIND_LOCK,
  /** Instead: the reconciler looks rows up and leaves the epoch as it is. */
  RECONCILER_RAISES_EPOCH,
  /** Instead: nothing compares the books. */
  AUDIT,
  /** Instead: a rebuild reads the rows and leaves the epoch as it is. */
  REBUILD_RAISES_EPOCH,
  /** Instead: open writes a fresh gate if it finds none. */
  OPEN_BY_REBUILD,
  /** Instead: a rebuild begins whatever has happened since it was decided. */
  BEGIN_UNDER_EPOCH,
  /** Instead: a rebuild that begins a second time starts over. */
  BEGIN_ONCE,
  /** Instead: a rebuild may hold the gate for longer than a reservation may stay open. */
  LEASE_WITHIN_TIMEOUT
}
