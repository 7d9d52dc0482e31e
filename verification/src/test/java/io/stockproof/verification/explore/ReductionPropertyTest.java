package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.explore.Chooser.Done;
import io.stockproof.verification.explore.SharedWires.Move;
import io.stockproof.verification.explore.SharedWires.Row;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * The reduction against every order there is, on small programs drawn by chance: requests that
 * share connections, on which nobody can overtake, and a row that only one can hold.
 */
class ReductionPropertyTest {

  @Property(tries = 2000)
  void nothingThatCanBeSeenIsLost(@ForAll("programs") List<List<Move>> programs) {
    assertNothingIsLost(programs);
  }

  private static void assertNothingIsLost(List<List<Move>> programs) {
    Counted reduced = count(programs, true);
    Counted all = count(programs, false);

    assertThat(reduced.ends).isEqualTo(all.ends);
    assertThat(reduced.classes).isEqualTo(all.classes);
    assertThat(all.orders).containsAll(reduced.orders);
  }

  /** The second has the lock only after the first, who does not care about the third's change. */
  @Example
  void aLockThatIsGivenBackInAnyCaseCanBeGivenBackBeforeTheRace() {
    assertNothingIsLost(
        List.of(
            List.of(new Move("x", -1, Row.TAKE, false), new Move("x", -1, Row.GIVE, false)),
            List.of(new Move("y", -1, Row.TAKE, false), new Move("x", -1, Row.GIVE, false)),
            List.of(new Move("X", -1, Row.NONE, false), new Move("Y", -1, Row.NONE, false))));
  }

  /** The third sends on the first's connection only if it comes before the second's change. */
  @Example
  void whetherACommandIsSentMayDependOnTheOrder() {
    assertNothingIsLost(
        List.of(
            List.of(new Move("", 1, Row.NONE, true)),
            List.of(new Move("X", -1, Row.NONE, true)),
            List.of(new Move("x", 0, Row.NONE, true), new Move("", 1, Row.NONE, true))));
    assertNothingIsLost(
        List.of(
            List.of(new Move("Z", 1, Row.NONE, true)),
            List.of(new Move("z", 0, Row.NONE, true), new Move("", 0, Row.NONE, true)),
            List.of(new Move("", 0, Row.NONE, true))));
  }

  /** Found where a settled state was left without its races with another way that leads to it. */
  @Example
  void whatFollowsASettledStateRacesWithEachWayThere() {
    assertNothingIsLost(
        List.of(
            List.of(new Move("Z", 0, Row.NONE, true)),
            List.of(new Move("Y", 1, Row.NONE, true), new Move("", 0, Row.NONE, true)),
            List.of(new Move("Y", 0, Row.NONE, true), new Move("yz", -1, Row.NONE, true))));
  }

  /** The flow of the core for a user who asks twice, and for another one, on one instance. */
  @Example
  void theFlowOfTheCoreOnASharedConnectionIsTriedOnceAClass() {
    List<List<Move>> twoAndARepeat = List.of(wholeFlow("I"), List.of(onWire()), wholeFlow("J"));
    Counted found = count(twoAndARepeat, true);

    assertThat(found.classes).hasSize(30);
    assertThat(found.runs).isEqualTo(30);
    assertThat(count(twoAndARepeat, false).ends).isEqualTo(found.ends);
  }

  /** Gate, UPDATE, INSERT, COMMIT, confirm. */
  private static List<Move> wholeFlow(String ownRow) {
    return List.of(
        onWire(),
        new Move("", -1, Row.TAKE, false),
        new Move(ownRow, -1, Row.NONE, false),
        new Move("", -1, Row.GIVE, false),
        onWire());
  }

  private static Move onWire() {
    return new Move("G", 0, Row.NONE, false);
  }

  @Provide
  Arbitrary<List<List<Move>>> programs() {
    Arbitrary<List<Move>> three = program(2);
    Arbitrary<List<Move>> two = program(4);
    return Arbitraries.oneOf(three.list().ofSize(3), two.list().ofSize(2));
  }

  private static Arbitrary<List<Move>> program(int most) {
    Arbitrary<Move> move =
        Combinators.combine(
                Arbitraries.strings().withChars("xyzXYZ").ofMinLength(0).ofMaxLength(2),
                Arbitraries.integers().between(-1, 1),
                Arbitraries.of(true, false))
            .as((keys, wire, mayEnd) -> new Move(keys, wire, Row.NONE, mayEnd));
    return Combinators.combine(
            move.list().ofMinSize(1).ofMaxSize(most),
            Arbitraries.integers().between(0, most),
            Arbitraries.integers().between(0, most))
        .as(ReductionPropertyTest::withRow);
  }

  /** The row is held from one move to a later one, neither of which can be the last by chance. */
  private static List<Move> withRow(List<Move> moves, int take, int give) {
    List<Move> program = new ArrayList<>(moves);
    if (take < give && give < moves.size()) {
      for (int i = take; i <= give; i++) {
        Move move = moves.get(i);
        Row row = i == take ? Row.TAKE : i == give ? Row.GIVE : Row.NONE;
        program.set(i, new Move(move.keys(), row == Row.NONE ? move.wire() : -1, row, false));
      }
    }
    return program;
  }

  private static Counted count(List<List<Move>> programs, boolean reduce) {
    Counted counted = new Counted();
    Reduction search = new Reduction(reduce);
    while (search.hasNext()) {
      SharedWires.Ended ended = SharedWires.run(programs, search, reduce);
      search.finished(ended.trace());
      assertThat(search.diverged()).isFalse();
      counted.runs++;
      counted.ends.add(ended.end());
      counted.orders.add(ended.trace().stream().map(Done::actor).toList());
      counted.classes.add(new Reduction.Order(ended.trace()).canonical());
    }
    return counted;
  }

  private static final class Counted {
    int runs;
    final Set<List<Integer>> orders = new HashSet<>();
    final Set<String> ends = new HashSet<>();
    final Set<String> classes = new HashSet<>();
  }
}
