package io.stockproof.verification.rules;

import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The commands of a run by the call that sent them. */
final class Commands {
  private final Map<Integer, List<Wire.Sent>> byCall = new HashMap<>();
  private final Map<Integer, List<Wire.Sent>> guessedByInstance = new HashMap<>();

  Commands(Wire wire, List<Call> calls) {
    Map<Integer, Integer> instances = new HashMap<>();
    calls.forEach(call -> instances.put(call.id(), call.instance()));
    for (Wire.Sent sent : wire.sent()) {
      byCall.computeIfAbsent(sent.call(), call -> new ArrayList<>()).add(sent);
      if (!sent.sure()) {
        guessedByInstance
            .computeIfAbsent(instances.getOrDefault(sent.call(), -1), i -> new ArrayList<>())
            .add(sent);
      }
    }
  }

  /** Those of a call, also what it did after it had answered. */
  List<Wire.Sent> of(Call call) {
    return byCall.getOrDefault(call.id(), List.of());
  }

  /** Those of a call up to a moment. */
  List<Wire.Sent> until(Call call, long moment) {
    return of(call).stream().filter(sent -> sent.step() <= moment).toList();
  }

  /** Whether a command that may be the call's was taken for another's, or the other way round. */
  boolean guessedDuring(Call call) {
    return guessedByInstance.getOrDefault(call.instance(), List.of()).stream()
        .anyMatch(sent -> sent.step() > call.start() && sent.step() <= call.end());
  }
}
