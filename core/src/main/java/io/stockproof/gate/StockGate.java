package io.stockproof.gate;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The gate of every coupon. Each method is one atomic step. The futures fail with {@link
 * GateException}; cancelling one gives up the wait and keeps a step that was not sent from being
 * sent. Safe for use by any number of threads.
 */
public interface StockGate extends AutoCloseable {

  /** Most users that {@link #confirm} and {@link #install} take at once (public case G26). */
  int MAX_USERS = 1000;

  /** Reserves one unit for the user under the token. */
  CompletableFuture<Admission> acquire(long couponId, String userId, String token);

  /**
   * Gives a reservation back if it still carries the token.
   *
   * @return whether this very call gave it back (R204)
   */
  CompletableFuture<Boolean> release(long couponId, String userId, String token);

  /**
   * Records that the users have rows.
   *
   * @return false if the gate is not in service; nothing is lost then, a rebuild reads the rows
   */
  CompletableFuture<Boolean> confirm(long couponId, List<String> userIds);

  /** Takes the reservation away and sets the stock to 0, because the ledger is full. */
  CompletableFuture<Boolean> exhausted(long couponId, String userId, String token);

  /**
   * Lets a fenced owner go on under the gate's epoch, if it still holds its reservation and the
   * gate is open.
   *
   * @return the epoch, or -1 if the reservation is lost
   */
  CompletableFuture<Long> renew(long couponId, String userId, String token);

  /** Ends the sale; completes with false if there is no gate. */
  CompletableFuture<Boolean> close(long couponId);

  /** Reads the books. */
  CompletableFuture<GateBooks> inspect(long couponId);

  /**
   * Takes the gate out of service to make it anew.
   *
   * @param decidedAtEpoch the ledger's epoch when it was decided. The command may be delivered
   *     late: a gate that was made of rows read since then is left alone
   * @return false if another rebuild is alive, or has ended since
   */
  CompletableFuture<Boolean> begin(long couponId, String rebuildId, long decidedAtEpoch);

  /**
   * Adds users with rows to the gate in the making.
   *
   * @return false if the rebuild was taken over
   */
  CompletableFuture<Boolean> install(long couponId, String rebuildId, List<String> userIds);

  /**
   * Puts the gate into service.
   *
   * @param rows how many users were installed
   * @return false if the rebuild was taken over, or what was installed is gone
   */
  CompletableFuture<Boolean> finish(long couponId, String rebuildId, long rows, GateSpec spec);

  /**
   * Finds reservations that are older than the reservation timeout, by the time of the server.
   *
   * @param cursor {@code "0"}, or where an earlier scan stopped
   */
  CompletableFuture<StaleScan> stale(long couponId, long ageMillis, String cursor);

  /**
   * Raises the gate's epoch and resolves reservations whose owners it fences.
   *
   * @return how many were resolved, or -1 if the gate is not in service
   */
  CompletableFuture<Long> settle(long couponId, long epoch, List<Settlement> settlements);

  @Override
  void close();

  /**
   * One page of old reservations.
   *
   * @param cursor where to go on; {@code "0"} at the end
   * @param reservations what was found
   */
  record StaleScan(String cursor, List<Stale> reservations) {}

  /**
   * A reservation that is too old.
   *
   * @param userId whose
   * @param token under which it was made
   */
  record Stale(String userId, String token) {}

  /**
   * How a reservation is to be resolved.
   *
   * @param userId whose
   * @param token under which it was made
   * @param row whether the user has a row: confirm, else release
   */
  record Settlement(String userId, String token, boolean row) {}
}
