package io.stockproof.verification.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything at one moment: both stores, everybody's place, and what is on its way. */
final class State {

  /** Users that ask in a scope. */
  static final int ASKING_USERS = 3;

  /** These, and one more who never asked before, for probes at rest. */
  static final int USERS = ASKING_USERS + 2;

  /** Requests of a scope, and one more for probes at rest. */
  static final int REQUESTS = 4;

  /** Rebuilds of a scope, and one more at rest. */
  static final int REBUILDS = 3;

  static final int MOST_WORDS = 5;

  private static final int MOST_MESSAGES = 2;

  final Scope scope;
  final Gate gate;
  final Ledger ledger;
  final Caller[] callers;
  final Recovery recovery;

  /** On their way, packed and in order; 0 where there is none is impossible, so it is counted. */
  private int[] messages;

  int faultsLeft;

  /** The gate as a replica has it that will take over; null if none is about to. */
  @Nullable Gate replica;

  /**
   * Whether a request has asked for a rebuild; only at rest, in the search one may begin any time.
   */
  boolean rebuildWanted;

  /** What the step that led here broke; not part of the state. */
  final List<Broken> broken = new ArrayList<>(0);

  /** The starting state: opened, nobody has asked. */
  State(Scope scope) {
    this.scope = scope;
    gate = new Gate(scope);
    ledger = new Ledger();
    callers = new Caller[scope.requests()];
    for (int i = 0; i < callers.length; i++) {
      callers[i] = new Caller();
      callers[i].user = scope.users().get(i);
      callers[i].token = i + 1;
    }
    recovery = new Recovery();
    recovery.reconciliationsLeft = scope.reconciliations();
    recovery.openingsLeft = scope.openings();
    messages = new int[0];
    faultsLeft = scope.faults();
  }

  private State(State other, int requests) {
    scope = other.scope;
    gate = other.gate.copy();
    ledger = other.ledger.copy();
    callers = new Caller[requests];
    for (int i = 0; i < requests; i++) {
      callers[i] = i < other.callers.length ? other.callers[i].copy() : new Caller();
    }
    recovery = other.recovery.copy();
    messages = other.messages;
    faultsLeft = other.faultsLeft;
    replica = other.replica == null ? null : other.replica.copy();
    rebuildWanted = other.rebuildWanted;
  }

  State copy() {
    return new State(this, callers.length);
  }

  /** A copy with room for one more request. */
  State withProbe() {
    return new State(this, scope.requests() + 1);
  }

  boolean may(Fault fault) {
    return faultsLeft > 0 && scope.kinds().contains(fault);
  }

  /** A copy in which one fault has struck. */
  State struck() {
    State next = copy();
    next.faultsLeft--;
    return next;
  }

  void send(Message message) {
    messages = Arrays.copyOf(messages, messages.length + 1);
    messages[messages.length - 1] = message.packed();
    Arrays.sort(messages);
  }

  Message take(int index) {
    Message taken = Message.unpacked(messages[index]);
    int[] rest = new int[messages.length - 1];
    System.arraycopy(messages, 0, rest, 0, index);
    System.arraycopy(messages, index + 1, rest, index, rest.length - index);
    messages = rest;
    return taken;
  }

  int messages() {
    return messages.length;
  }

  Message message(int index) {
    return Message.unpacked(messages[index]);
  }

  /** Whether users with rows and others' reservations make up the total, for this user. */
  boolean full(int user) {
    int taken = ledger.users();
    for (int other = 0; other < USERS; other++) {
      if (other != user && gate.token[other] != 0) {
        taken |= 1 << other;
      }
    }
    return Integer.bitCount(taken) >= scope.total();
  }

  /** What whoever is in a call sees at this moment. */
  void see() {
    for (Caller caller : callers) {
      if (caller.told == Caller.Told.NOTHING && caller.asked() && !caller.sawFull) {
        caller.sawFull = full(caller.user);
      }
    }
  }

  /** No request in flight, nothing on its way, nobody recovering. */
  boolean quiescent() {
    for (Caller caller : callers) {
      if (!caller.done()) {
        return false;
      }
    }
    for (Recovery.Rebuild rebuild : recovery.rebuild) {
      if (rebuild.runs()) {
        return false;
      }
    }
    return messages.length == 0
        && replica == null
        && recovery.reconciler == Recovery.Reconciler.IDLE
        && !recovery.openingFoundNone;
  }

  /** How many words a state of the scope takes. */
  static int words(Scope scope) {
    State state = new State(scope);
    if (scope.kinds().contains(Fault.FAILOVER)) {
      state.replica = state.gate.copy();
    }
    for (int i = 0; i < Math.min(MOST_MESSAGES, scope.faults()); i++) {
      state.send(Message.of(Message.Kind.RELEASE, 0));
    }
    Codec.Writer writer = new Codec.Writer(new long[MOST_WORDS]);
    state.fields(writer);
    return (writer.size() + 63) / 64;
  }

  /** The state as bits. */
  void encode(long[] words) {
    Arrays.fill(words, 0);
    fields(new Codec.Writer(words));
  }

  static State decode(Scope scope, long[] words, int first) {
    State state = new State(scope);
    state.fields(new Codec.Reader(words, first));
    return state;
  }

  private void fields(Codec codec) {
    gate.fields(codec);
    ledger.fields(codec);
    for (Caller caller : callers) {
      caller.fields(codec);
    }
    recovery.fields(codec, scope);
    faultsLeft = codec.bits(faultsLeft, 2);
    int count = codec.bits(messages.length, 2);
    if (count != messages.length) {
      messages = new int[count];
    }
    for (int i = 0; i < count; i++) {
      messages[i] = codec.bits(messages[i], Message.BITS);
    }
    if (scope.kinds().contains(Fault.FAILOVER) && codec.flag(replica != null)) {
      replica = replica == null ? new Gate(scope) : replica;
      replica.fields(codec);
    }
  }

  /** The books, and everybody's place, for a reader. */
  @Override
  public String toString() {
    List<String> places = new ArrayList<>();
    for (Caller caller : callers) {
      places.add(caller.at + (caller.told == Caller.Told.NOTHING ? "" : "/" + caller.told));
    }
    return "gate %s stock %d users %s open %d epoch %d | rows %s epoch %d | %s"
        .formatted(
            gate.problem() == null ? "OPEN" : gate.problem().word(),
            gate.stock,
            Integer.toBinaryString(gate.users),
            gate.reservations(),
            gate.epoch,
            Integer.toBinaryString(ledger.users()),
            ledger.epoch,
            places);
  }
}
