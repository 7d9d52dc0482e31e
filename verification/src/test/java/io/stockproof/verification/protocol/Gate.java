package io.stockproof.verification.protocol;

import io.stockproof.verification.protocol.Answer.Word;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The keys of one coupon, and the scripts of the core, each an atomic step. */
final class Gate {

  static final int ABSENT = -1;

  enum Service {
    NO_META,
    OPEN,
    REBUILDING
  }

  final Scope scope;
  int stock;
  boolean usersKey = true;
  int users;
  boolean pendingKey = true;

  /** By user: the token of the open reservation, or 0. */
  final int[] token = new int[State.USERS];

  final int[] admitted = new int[State.USERS];
  Service service = Service.OPEN;
  int epoch = 1;

  /** The epoch under which the rows of the last rebuild were read. */
  int built = 1;

  int rebuild;
  boolean lease;

  /** By rebuild: the users in the making, or {@link #ABSENT}. */
  final int[] making = new int[State.REBUILDS];

  /** As opened. */
  Gate(Scope scope) {
    this.scope = scope;
    stock = scope.total();
    Arrays.fill(making, ABSENT);
    withoutSentinels();
  }

  private Gate(Gate other) {
    scope = other.scope;
    takeOver(other);
  }

  Gate copy() {
    return new Gate(this);
  }

  /** Becomes as the other is. */
  void takeOver(Gate other) {
    stock = other.stock;
    usersKey = other.usersKey;
    users = other.users;
    pendingKey = other.pendingKey;
    System.arraycopy(other.token, 0, token, 0, token.length);
    System.arraycopy(other.admitted, 0, admitted, 0, admitted.length);
    service = other.service;
    epoch = other.epoch;
    built = other.built;
    rebuild = other.rebuild;
    lease = other.lease;
    System.arraycopy(other.making, 0, making, 0, making.length);
  }

  /** Why the gate is not in service; null if it is. The scripts' {@code look}. */
  @Nullable Answer problem() {
    if (service == Service.REBUILDING) {
      return new Answer(Word.REBUILDING, lease ? 1 : 0);
    }
    if (service == Service.OPEN && stock > scope.total()) {
      return Answer.of(Word.CORRUPT);
    }
    return stock == ABSENT || !usersKey || !pendingKey || service == Service.NO_META
        ? Answer.of(Word.MISSING)
        : null;
  }

  Answer acquire(int user, int by) {
    Answer problem = problem();
    if (problem != null) {
      return problem;
    }
    if (token[user] == by) {
      return new Answer(Word.ACQUIRED, admitted[user]);
    }
    if (token[user] != 0) {
      return Answer.of(Word.IN_FLIGHT);
    }
    if (holds(user)) {
      return Answer.of(Word.DUPLICATE);
    }
    if (stock == 0) {
      return Answer.of(reservations() == 0 ? Word.SOLD_OUT_SETTLED : Word.SOLD_OUT);
    }
    token[user] = by;
    admitted[user] = epoch;
    users |= 1 << user;
    writeStock(-1);
    return new Answer(Word.ACQUIRED, epoch);
  }

  Answer release(int user, int by) {
    Answer problem = problem();
    if (problem != null) {
      return problem;
    }
    if (token[user] != by) {
      return Answer.of(Word.NOTHING);
    }
    takeOut(user);
    writeStock(1);
    return Answer.of(Word.RELEASED);
  }

  Answer confirm(int user, int by) {
    Answer problem = problem();
    if (problem != null) {
      return problem;
    }
    if (!scope.has(Part.CONFIRM_BY_ROW) && token[user] != by) {
      return Answer.of(Word.NOTHING);
    }
    resolve(user);
    users |= 1 << user;
    writeStock(0);
    return Answer.of(Word.CONFIRMED);
  }

  Answer exhausted(int user, int by) {
    Answer problem = problem();
    if (problem != null) {
      return problem;
    }
    if (token[user] == by) {
      takeOut(user);
    }
    stock = 0;
    withoutSentinels();
    return Answer.of(Word.EMPTIED);
  }

  Answer renew(int user, int by) {
    Answer problem = problem();
    if (problem != null) {
      return problem;
    }
    if (token[user] != by) {
      return Answer.of(Word.LOST);
    }
    admitted[user] = epoch;
    return new Answer(Word.RENEWED, epoch);
  }

  /** Whoever of the users is still held by the same token, under an older epoch, is fenced. */
  Answer settle(Message what) {
    Answer problem = problem();
    if (problem != null) {
      return problem;
    }
    epoch = Math.max(epoch, what.epoch());
    int settled = 0;
    for (int user = 0; user < State.USERS; user++) {
      if ((what.users() >> user & 1) == 0) {
        continue;
      }
      if ((what.rows() >> user & 1) == 1) {
        resolve(user);
        users |= 1 << user;
        settled++;
      } else if (token[user] == what.token(user) && fences(user, what.epoch())) {
        takeOut(user);
        writeStock(1);
        settled++;
      }
    }
    writeStock(0);
    return new Answer(Word.SETTLED, settled);
  }

  private boolean fences(int user, int newer) {
    return !scope.has(Part.RECONCILER_RAISES_EPOCH) || admitted[user] < newer;
  }

  Answer begin(int id, int decidedAt) {
    boolean same = scope.owner(rebuild) == scope.owner(id);
    if (service == Service.REBUILDING && !same && lease) {
      return Answer.of(Word.BUSY);
    }
    if (scope.has(Part.BEGIN_ONCE) && service == Service.REBUILDING && rebuild == id) {
      return Answer.of(Word.BEGUN);
    }
    if (scope.has(Part.BEGIN_UNDER_EPOCH) && built > decidedAt) {
      return Answer.of(Word.OVERTAKEN);
    }
    service = Service.REBUILDING;
    rebuild = id;
    lease = true;
    making[id] = 0;
    return Answer.of(Word.BEGUN);
  }

  Answer install(int id, int rows) {
    if (service != Service.REBUILDING || rebuild != id) {
      return Answer.of(Word.LOST);
    }
    lease = true;
    // SADD would also make the key, without its sentinel: then its size is wrong at the end.
    making[id] = making[id] == ABSENT ? ABSENT : making[id] | rows;
    return Answer.of(Word.INSTALLED);
  }

  Answer finish(int id, int rows, int readAt) {
    if (service != Service.REBUILDING
        || rebuild != id
        || making[id] == ABSENT
        || Integer.bitCount(making[id]) != rows) {
      return Answer.of(Word.LOST);
    }
    users = making[id];
    making[id] = ABSENT;
    usersKey = true;
    pendingKey = true;
    Arrays.fill(token, 0);
    Arrays.fill(admitted, 0);
    epoch = Math.max(epoch, readAt);
    built = readAt;
    service = Service.OPEN;
    rebuild = 0;
    lease = false;
    stock = Math.max(0, scope.total() - rows);
    withoutSentinels();
    return Answer.of(Word.BUILT);
  }

  /** What an opening would write that is no rebuild. */
  void writeFresh(int atEpoch) {
    takeOver(new Gate(scope));
    epoch = atEpoch;
    built = atEpoch;
  }

  boolean holds(int user) {
    return (users >> user & 1) == 1;
  }

  int reservations() {
    int open = 0;
    for (int user = 0; user < State.USERS; user++) {
      open += token[user] == 0 ? 0 : 1;
    }
    return open;
  }

  private void resolve(int user) {
    token[user] = 0;
    admitted[user] = 0;
  }

  private void takeOut(int user) {
    resolve(user);
    users &= ~(1 << user);
  }

  private void writeStock(int change) {
    stock =
        scope.has(Part.STOCK_AS_DIFFERENCE)
            ? Math.max(0, scope.total() - Integer.bitCount(users))
            : stock + change;
    withoutSentinels();
  }

  private void withoutSentinels() {
    if (!scope.has(Part.SENTINELS)) {
      usersKey = users != 0;
      pendingKey = reservations() != 0;
    }
  }

  // The keys that can be lost one by one; behind them those in the making.
  static final int STOCK = 0;
  static final int USERS = 1;
  static final int PENDING = 2;
  static final int META = 3;
  static final int MAKING = 4;

  void lose(int key) {
    switch (key) {
      case STOCK -> stock = ABSENT;
      case USERS -> {
        usersKey = false;
        users = 0;
      }
      case PENDING -> {
        pendingKey = false;
        Arrays.fill(token, 0);
        Arrays.fill(admitted, 0);
      }
      case META -> {
        service = Service.NO_META;
        epoch = 0;
        built = 0;
        rebuild = 0;
        lease = false;
      }
      default -> making[key - MAKING] = ABSENT;
    }
  }

  boolean has(int key) {
    return switch (key) {
      case STOCK -> stock != ABSENT;
      case USERS -> usersKey;
      case PENDING -> pendingKey;
      case META -> service != Service.NO_META;
      default -> making[key - MAKING] != ABSENT;
    };
  }

  void fields(Codec codec) {
    stock = codec.bits(stock + 1, 3) - 1;
    usersKey = codec.flag(usersKey);
    users = codec.bits(users, State.ASKING_USERS);
    pendingKey = codec.flag(pendingKey);
    for (int user = 0; user < State.ASKING_USERS; user++) {
      token[user] = codec.bits(token[user], 2);
      admitted[user] = codec.bits(admitted[user], 3);
    }
    service = Service.values()[codec.bits(service.ordinal(), 2)];
    epoch = codec.bits(epoch, 3);
    built = codec.bits(built, 3);
    rebuild = codec.bits(rebuild, 1);
    lease = codec.flag(lease);
    for (int id = 0; id < scope.rebuilds(); id++) {
      making[id] = codec.bits(making[id] + 1, 4) - 1;
    }
  }
}
