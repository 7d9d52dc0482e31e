package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.explore.Access.Mode;
import io.stockproof.verification.explore.Chooser.Done;
import io.stockproof.verification.explore.Chooser.Option;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The search itself, on programs small enough to count by hand. Real commands are steered in
 * SearchTest.
 */
class ReductionTest {

  private static final Footprint.Lock COUPON = new Footprint.Lock("db:coupon", "PRIMARY", "1");

  @ParameterizedTest
  @CsvSource({"2, 4, 70", "3, 36, 34650", "4, 576, 0"})
  void theGateFlowHasTheClassesThatArithmeticSays(int users, int classes, int orders) {
    List<List<Footprint>> programs = new ArrayList<>();
    for (int user = 0; user < users; user++) {
      programs.add(gateFlow(user));
    }

    Counted reduced = count(programs, true);

    assertThat(reduced.classes).hasSize(classes);
    assertThat(reduced.runs).isEqualTo(classes);
    if (orders > 0) {
      assertThat(count(withoutLocks(programs), false).runs).isEqualTo(orders);
    }
  }

  @Test
  void twoStepsThatTouchDifferentThingsHaveOneClass() {
    Footprint a = new Footprint(List.of(new Access("redis:a", Map.of(), Mode.WRITE)));
    Footprint b = new Footprint(List.of(new Access("redis:b", Map.of(), Mode.WRITE)));

    assertThat(count(List.of(List.of(a), List.of(b)), true).runs).isEqualTo(1);
    assertThat(count(List.of(List.of(a), List.of(a)), true).runs).isEqualTo(2);
  }

  @Test
  void bothVictimsOfADeadlockAreTried() {
    Footprint takeX = lock("x");
    Footprint takeY = lock("y");
    Counted seen = count(List.of(List.of(takeX, takeY), List.of(takeY, takeX)), true);

    assertThat(seen.victims).as("who was let into a deadlock").containsExactlyInAnyOrder(0, 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void randomProgramsHaveTheSameClassesReducedAndUnreduced(long seed) {
    Random random = new Random(seed);
    List<List<Footprint>> programs = new ArrayList<>();
    int actors = 2 + random.nextInt(2);
    for (int actor = 0; actor < actors; actor++) {
      List<Footprint> program = new ArrayList<>();
      for (int step = 0; step < 2 + random.nextInt(2); step++) {
        List<Access> accesses = new ArrayList<>();
        for (int n = 0; n <= random.nextInt(2); n++) {
          accesses.add(
              new Access(
                  "redis:" + "xyz".charAt(random.nextInt(3)),
                  Map.of(),
                  random.nextBoolean() ? Mode.READ : Mode.WRITE));
        }
        program.add(new Footprint(accesses));
      }
      programs.add(program);
    }

    Counted reduced = count(programs, true);
    Counted all = count(programs, false);

    assertThat(reduced.classes).as("seed " + seed).isEqualTo(all.classes);
    assertThat(reduced.runs).isLessThanOrEqualTo(all.runs);
  }

  private static List<Footprint> gateFlow(int user) {
    Map<String, String> coupon = Map.of("PRIMARY", "1");
    Map<String, String> row = Map.of("uk", "1," + user);
    return List.of(
        new Footprint(List.of(new Access("redis:stock", Map.of(), Mode.WRITE))),
        new Footprint(
            List.of(new Access("db:coupon", coupon, Mode.LOCK)), Set.of(COUPON), Set.of()),
        new Footprint(List.of(new Access("db:issued_coupon", row, Mode.INSERT))),
        new Footprint(
            List.of(
                new Access("db:coupon", coupon, Mode.WRITE),
                new Access("db:issued_coupon", row, Mode.WRITE)),
            Set.of(),
            Set.of(COUPON)));
  }

  private static Footprint lock(String name) {
    return new Footprint(
        List.of(new Access("db:t", Map.of("PRIMARY", name), Mode.LOCK)),
        Set.of(new Footprint.Lock("db:t", "PRIMARY", name)),
        Set.of());
  }

  private static List<List<Footprint>> withoutLocks(List<List<Footprint>> programs) {
    return programs.stream()
        .map(program -> program.stream().map(step -> new Footprint(step.accesses())).toList())
        .toList();
  }

  private static Counted count(List<List<Footprint>> programs, boolean reduce) {
    Counted counted = new Counted();
    Reduction search = new Reduction(reduce);
    while (search.hasNext()) {
      List<Done> trace = run(programs, search, counted.victims::add);
      if (!search.redundant()) {
        counted.runs++;
        counted.classes.add(new Reduction.Order(trace).canonical());
      }
      search.finished(trace);
    }
    return counted;
  }

  /**
   * Runs the programs under the chooser, with locks held from the step that needs them to the one
   * that frees them.
   */
  private static List<Done> run(
      List<List<Footprint>> programs, Chooser chooser, IntConsumer onDeadlock) {
    int[] position = new int[programs.size()];
    Map<Footprint.Lock, Integer> owners = new HashMap<>();
    List<Done> trace = new ArrayList<>();
    while (true) {
      List<Option> options = new ArrayList<>();
      for (int actor = 0; actor < programs.size(); actor++) {
        if (position[actor] < programs.get(actor).size()) {
          Footprint next = programs.get(actor).get(position[actor]);
          int self = actor;
          boolean blocked =
              next.needs().stream().anyMatch(l -> owners.getOrDefault(l, self) != self);
          options.add(new Option(actor, next, blocked, position[actor] + 1));
        }
      }
      if (options.isEmpty()) {
        return trace;
      }
      if (!trace.isEmpty()) {
        chooser.took(trace.get(trace.size() - 1).footprint());
      }
      int actor = chooser.choose(trace.size(), options);
      Footprint step = programs.get(actor).get(position[actor]);
      trace.add(new Done(actor, step, -1));
      if (options.stream().allMatch(Option::blocked)) {
        onDeadlock.accept(actor);
        position[actor] = programs.get(actor).size();
        owners.values().removeIf(owner -> owner == actor);
        continue;
      }
      step.needs().forEach(l -> owners.put(l, actor));
      step.frees().forEach(owners::remove);
      position[actor]++;
    }
  }

  private static final class Counted {
    int runs;
    final Set<Integer> victims = new HashSet<>();
    final Set<String> classes = new HashSet<>();
  }
}
