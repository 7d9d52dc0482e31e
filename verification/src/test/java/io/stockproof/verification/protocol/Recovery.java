package io.stockproof.verification.protocol;

import java.util.Arrays;

/** Where the reconciler and the rebuilds stand. */
final class Recovery {

  enum Reconciler {
    IDLE,
    FENCE,
    SETTLE
  }

  enum Rebuild {
    NOT_BEGUN,
    BEGIN,
    FENCE,
    READ,
    INSTALL,
    FINISH,
    BUILT,
    /** Another rebuild is alive, or took over, or was later. */
    GAVE_WAY,
    /** A store did not answer: its owner does it again. */
    FAILED,
    CRASHED;

    boolean runs() {
      return this != NOT_BEGUN && !over();
    }

    boolean over() {
      return compareTo(BUILT) >= 0;
    }
  }

  Reconciler reconciler = Reconciler.IDLE;

  /** What the reconciler will settle. */
  Message settling = Message.of(Message.Kind.SETTLE, 0);

  int reconciliationsLeft;
  final Rebuild[] rebuild = new Rebuild[State.REBUILDS];

  /** The ledger's epoch when the rebuild was decided, then the one it reads under. */
  final int[] epoch = new int[State.REBUILDS];

  /** Users with rows, as bits. */
  final int[] rows = new int[State.REBUILDS];

  /** Openings that are no rebuilds: left to begin, and whether one has found no gate. */
  int openingsLeft;

  boolean openingFoundNone;

  Recovery() {
    Arrays.fill(rebuild, Rebuild.NOT_BEGUN);
  }

  Recovery copy() {
    Recovery copy = new Recovery();
    copy.reconciler = reconciler;
    copy.settling = settling;
    copy.reconciliationsLeft = reconciliationsLeft;
    System.arraycopy(rebuild, 0, copy.rebuild, 0, rebuild.length);
    System.arraycopy(epoch, 0, copy.epoch, 0, epoch.length);
    System.arraycopy(rows, 0, copy.rows, 0, rows.length);
    copy.openingsLeft = openingsLeft;
    copy.openingFoundNone = openingFoundNone;
    return copy;
  }

  void reconcilerEnds() {
    reconciler = Reconciler.IDLE;
    settling = Message.of(Message.Kind.SETTLE, 0);
  }

  void rebuildEnds(int id, Rebuild how) {
    rebuild[id] = how;
    epoch[id] = 0;
    rows[id] = 0;
  }

  void fields(Codec codec, Scope scope) {
    if (scope.reconciliations() > 0) {
      reconciler = Reconciler.values()[codec.bits(reconciler.ordinal(), 2)];
      settling = Message.unpacked(codec.bits(settling.packed(), Message.BITS));
      reconciliationsLeft = codec.bits(reconciliationsLeft, 2);
    }
    for (int id = 0; id < scope.rebuilds(); id++) {
      rebuild[id] = Rebuild.values()[codec.bits(rebuild[id].ordinal(), 4)];
      epoch[id] = codec.bits(epoch[id], 3);
      rows[id] = codec.bits(rows[id], State.ASKING_USERS);
    }
    if (scope.openings() > 0) {
      openingsLeft = codec.bits(openingsLeft, 2);
      openingFoundNone = codec.flag(openingFoundNone);
    }
  }
}
