package io.stockproof;

import io.stockproof.ledger.CommitPermit;
import io.stockproof.ledger.Deadline;
import io.stockproof.ledger.Reservation;
import java.util.concurrent.atomic.AtomicReference;

/** One call to issue: what was asked, until when, and how far it has come. */
final class Request implements CommitPermit {

  /** How far it has come; GONE and what came before it decide what a caller is told who leaves. */
  enum Phase {
    /** The gate has not answered. */
    ASKING,
    /** A unit is reserved, or the gate was passed by, and no COMMIT is under way. */
    PROCEEDING,
    /** COMMIT is under way. */
    COMMITTING,
    /** The caller was told something and has left. */
    GONE
  }

  private final long couponId;
  private final String userId;
  private final String token;
  private final Deadline deadline;
  private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.ASKING);
  private volatile boolean fallenThrough;

  Request(long couponId, String userId, String token, Deadline deadline) {
    this.couponId = couponId;
    this.userId = userId;
    this.token = token;
    this.deadline = deadline;
  }

  long couponId() {
    return couponId;
  }

  String userId() {
    return userId;
  }

  String token() {
    return token;
  }

  Deadline deadline() {
    return deadline;
  }

  Reservation reservation(long epoch) {
    return new Reservation(couponId, userId, token, epoch);
  }

  /** Goes on to the ledger; false if the caller has left. */
  boolean proceed() {
    return phase.compareAndSet(Phase.ASKING, Phase.PROCEEDING);
  }

  boolean hasLeft() {
    return phase.get() == Phase.GONE;
  }

  /** It goes to the ledger without a reservation; said before {@link #proceed}. */
  void fallThrough() {
    fallenThrough = true;
  }

  boolean hasFallenThrough() {
    return fallenThrough;
  }

  @Override
  public boolean begin() {
    return !deadline.passed() && phase.compareAndSet(Phase.PROCEEDING, Phase.COMMITTING);
  }

  @Override
  public void aborted() {
    phase.compareAndSet(Phase.COMMITTING, Phase.PROCEEDING);
  }

  /** The caller leaves without an answer; returns how far it had come. */
  Phase leave() {
    return phase.getAndSet(Phase.GONE);
  }
}
