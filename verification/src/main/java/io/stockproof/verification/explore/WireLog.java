package io.stockproof.verification.explore;

import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Takes note, in one run, of what the rules on cost and faults judge by and the steps alone do not
 * tell. Owned by the scheduler's thread.
 */
final class WireLog {

  private static final Set<String> WRITES = Set.of("INSERT", "UPDATE", "DELETE", "REPLACE");

  private final Set<Integer> guessed = new HashSet<>();
  private final Map<Integer, Set<String>> lost = new HashMap<>();
  private final Map<String, String> plainOfLost = new HashMap<>();
  private final Set<Wire.Wait> waits = new LinkedHashSet<>();

  /** Whose command this step took is a guess. */
  void guessed(int step) {
    guessed.add(step);
  }

  /**
   * Redis has lost a key just before a step took effect.
   *
   * @param key as Redis knows it
   * @param plain as runs are compared
   */
  void lost(int step, String key, String plain) {
    lost.computeIfAbsent(step, s -> new HashSet<>()).add(plain);
    plainOfLost.put(key, plain);
  }

  /** An actor waits inside its process for another. */
  void waits(int actor, int step) {
    waits.add(new Wire.Wait(actor, step));
  }

  /** Every key that was lost, as Redis knows it. */
  Set<String> lostKeys() {
    return plainOfLost.keySet();
  }

  /**
   * The run as the rules see it.
   *
   * @param requests commands of actors beyond them were delivered late, and are nobody's
   * @param absentAtRest keys that are not there now, as Redis knows them
   */
  Wire wire(List<Step> steps, int requests, Set<String> absentAtRest) {
    List<Wire.Sent> sent = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      if (step.words() != null && step.actor() < requests) {
        sent.add(sent(step, step.words(), i + 1));
      }
    }
    Set<String> absent = absentAtRest.stream().map(plainOfLost::get).collect(Collectors.toSet());
    List<Wire.Loss> losses = new ArrayList<>();
    lost.keySet().stream().sorted().forEach(at -> losses.add(loss(at, absent)));
    return new Wire(sent, losses, List.copyOf(waits));
  }

  private Wire.Loss loss(int step, Set<String> absent) {
    Set<String> keys = lost.getOrDefault(step, Set.of());
    return new Wire.Loss(
        step, keys, keys.stream().filter(absent::contains).collect(Collectors.toSet()));
  }

  private Wire.Sent sent(Step step, Words words, int number) {
    boolean answered = step.reply() != null;
    return new Wire.Sent(
        step.actor(),
        !guessed.contains(number),
        number,
        answered ? Math.max(number, step.settledAfter()) : Call.NEVER,
        kind(words),
        words.connection(),
        !words.redis() && !words.autocommit(),
        fate(step),
        words.keys(),
        words.name());
  }

  private static Wire.Fate fate(Step step) {
    if (step.fault() != null && step.fault().error() != null) {
      return Wire.Fate.ERROR;
    }
    boolean hidden = step.fault() != null && step.fault().hidesReply();
    if (step.reply() == null || hidden) {
      return Wire.Fate.UNANSWERED;
    }
    return step.reply().error() ? Wire.Fate.ERROR : Wire.Fate.DONE;
  }

  private static Wire.Kind kind(Words words) {
    if (words.redis()) {
      return Wire.Kind.REDIS;
    }
    if (WRITES.contains(words.name())) {
      return Wire.Kind.WRITE;
    }
    return switch (words.name()) {
      case "SELECT", "SHOW" -> Wire.Kind.READ;
      case "COMMIT" -> Wire.Kind.END;
      case "ROLLBACK" ->
          words.statement().toUpperCase(Locale.ROOT).contains(" TO ")
              ? Wire.Kind.OTHER
              : Wire.Kind.END;
      default -> Wire.Kind.OTHER;
    };
  }
}
