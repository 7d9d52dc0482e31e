package io.stockproof.verification.explore;

import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.explore.Access.Mode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What steps touch because requests share an instance: its memory, its connections and its life.
 * Used by the scheduler's thread only.
 */
final class SharedInstances {

  private final Set<Integer> shared = new HashSet<>();
  private final Set<Integer> mortal = new HashSet<>();
  private final Map<Integer, String> wires = new HashMap<>();
  private final Set<String> sent = new HashSet<>();
  private final Set<Integer> returned = new HashSet<>();
  private final Map<Integer, Integer> twins = new HashMap<>();

  SharedInstances(Scenario scenario, FaultPlan plan) {
    Set<Integer> seen = new HashSet<>();
    for (Request request : scenario.requests()) {
      if (!seen.add(request.instance())) {
        shared.add(request.instance());
      }
    }
    for (FaultPlan.Strike strike : plan.strikes()) {
      if (strike.fault() == CommandFault.CRASH && strike.actor() < scenario.requests().size()) {
        mortal.add(scenario.requests().get(strike.actor()).instance());
      }
    }
    mortal.retainAll(shared);
    findTwins(scenario, plan);
  }

  private void findTwins(Scenario scenario, FaultPlan plan) {
    Set<Integer> struck = new HashSet<>();
    plan.strikes().forEach(strike -> struck.add(strike.actor()));
    Map<Request, Integer> latest = new HashMap<>();
    for (int i = 0; i < scenario.requests().size(); i++) {
      if (!struck.contains(i)) {
        Integer before = latest.put(scenario.requests().get(i), i);
        if (before != null && shared.contains(scenario.requests().get(i).instance())) {
          twins.put(i, before);
        }
      }
    }
  }

  /**
   * The request before this one that nothing tells from it: the same user on the same instance,
   * neither of them struck. Which of the two starts first is a matter of names, so this one starts
   * after it. Null if there is none.
   */
  @Nullable Integer twinBefore(int actor) {
    return twins.get(actor);
  }

  /** Whether any requests share an instance. */
  boolean any() {
    return !shared.isEmpty();
  }

  boolean contains(int instance) {
    return shared.contains(instance);
  }

  /**
   * Requests on one instance start one after the other: who comes first may matter inside the JVM,
   * and so may whether another was answered before.
   */
  Footprint start(Actor actor) {
    return alive(actor, Mode.READ).and(memory(actor.instance));
  }

  /** What a command touches beside the stores. */
  Footprint command(Actor actor, Words words, @Nullable CommandFault fault) {
    if (!shared.contains(actor.instance)) {
      return Footprint.NONE;
    }
    Footprint footprint = alive(actor, fault == CommandFault.CRASH ? Mode.WRITE : Mode.READ);
    if (actor.returned) {
      // Background work is found in the memory of the instance, whoever has left it there.
      footprint = footprint.and(memory(actor.instance));
    }
    if (words.redis()) {
      String wire = wire(actor.instance, words.connection());
      footprint = footprint.and(Footprint.taking(wire));
      if (fault != null) {
        // Where the connection is cut, what was sent on it before is lost.
        footprint = footprint.and(Footprint.sending(wire));
      }
    }
    return footprint;
  }

  /** A command has come on the connection; somebody may be behind it. */
  void sent(Actor actor, int connection) {
    if (shared.contains(actor.instance)) {
      sent.add(wire(actor.instance, connection));
    }
  }

  /** A call was answered, and its instance may remember what. */
  void returned(Actor actor) {
    if (shared.contains(actor.instance)) {
      returned.add(actor.instance);
    }
  }

  /** What happened since it was asked last. */
  Footprint meanwhile() {
    Footprint footprint = Footprint.NONE;
    for (String wire : sent) {
      footprint = footprint.and(Footprint.sending(wire));
    }
    for (int instance : returned) {
      footprint = footprint.and(memory(instance));
    }
    sent.clear();
    returned.clear();
    return footprint;
  }

  private Footprint alive(Actor actor, Mode mode) {
    return mortal.contains(actor.instance)
        ? new Footprint(List.of(Access.life(actor.instance, mode)))
        : Footprint.NONE;
  }

  private static Footprint memory(int instance) {
    return new Footprint(List.of(new Access("jvm:" + instance, Map.of(), Mode.WRITE)));
  }

  /** The same name in every run: numbers of connections grow from run to run. */
  private String wire(int instance, int connection) {
    return wires.computeIfAbsent(connection, c -> "wire:" + instance + "." + wires.size());
  }
}
