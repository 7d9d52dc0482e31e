package io.stockproof.verification.rules;

import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * What the calls of a sale send: at each step one of those that have begun sends one command,
 * whatever it has sent before. Here and there Redis loses a key, and a call waits for another.
 */
final class WildWire {
  private static final List<String> KEYS = List.of("lock", "users");

  private final Random random;
  private final int steps;
  private final List<Call> calls;
  private final boolean guessing;
  private final boolean disturbed;
  private final List<Wire.Sent> sent = new ArrayList<>();
  private final List<Wire.Loss> losses = new ArrayList<>();
  private final List<Wire.Wait> waits = new ArrayList<>();

  WildWire(Random random, int steps, List<Call> calls) {
    this.random = random;
    this.steps = steps;
    this.calls = calls;
    this.guessing = one(3);
    this.disturbed = one(3);
  }

  Wire make() {
    for (int step = 1; step < steps; step++) {
      long now = step;
      List<Call> begun = calls.stream().filter(call -> call.start() < now).toList();
      if (!begun.isEmpty() && !one(4)) {
        sent.add(command(begun.get(random.nextInt(begun.size())), step));
      }
      if (!begun.isEmpty() && disturbed && one(8)) {
        waits.add(new Wire.Wait(begun.get(random.nextInt(begun.size())).id(), step));
      }
    }
    for (int times = one(2) ? 1 + random.nextInt(2) : 0; times > 0; times--) {
      lose(1 + random.nextInt(steps - 1));
    }
    return new Wire(sent, losses, waits);
  }

  private void lose(int step) {
    Set<String> keys = one(4) ? Set.copyOf(KEYS) : Set.of(key());
    losses.add(new Wire.Loss(step, keys, one(2) ? keys : Set.of()));
  }

  private Wire.Sent command(Call call, int step) {
    boolean database = one(2);
    Wire.Kind kind = database ? statement() : Wire.Kind.REDIS;
    boolean failed = disturbed && one(6);
    Wire.Fate fate = !failed ? Wire.Fate.DONE : one(2) ? Wire.Fate.ERROR : Wire.Fate.UNANSWERED;
    long done = fate == Wire.Fate.UNANSWERED ? Call.NEVER : one(5) ? step + 3L : step;
    int connection = 2 * call.id() + (database ? 0 : 1) + (one(8) ? 100 : 0);
    List<String> keys = database || one(4) ? List.of() : List.of(key());
    boolean sure = !guessing || !one(4);
    boolean inTransaction = database && one(2);
    return new Wire.Sent(
        call.id(), sure, step, done, kind, connection, inTransaction, fate, keys, kind.name());
  }

  private Wire.Kind statement() {
    int which = random.nextInt(8);
    return which < 3
        ? Wire.Kind.WRITE
        : which < 5 ? Wire.Kind.READ : which < 7 ? Wire.Kind.END : Wire.Kind.OTHER;
  }

  private String key() {
    return KEYS.get(one(4) ? 1 : 0);
  }

  private boolean one(int in) {
    return random.nextInt(in) == 0;
  }
}
