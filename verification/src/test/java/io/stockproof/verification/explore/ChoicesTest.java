package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stockproof.verification.explore.Chooser.Option;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who goes next, what may go wrong, and how both are asked for. */
final class ChoicesTest {

  private static final int STEPS = 4;

  @Test
  void theSameSeedMakesTheSameChoicesAndAnotherSeedOthers() {
    assertThat(order(Choosers.random(5), 3)).isEqualTo(order(Choosers.random(5), 3));
    assertThat(order(Choosers.pct(5, 3, 12), 3)).isEqualTo(order(Choosers.pct(5, 3, 12), 3));

    Set<List<Integer>> random = new HashSet<>();
    Set<List<Integer>> pct = new HashSet<>();
    for (int seed = 0; seed < 50; seed++) {
      random.add(order(Choosers.random(seed), 3));
      pct.add(order(Choosers.pct(seed, 3, 12), 3));
    }
    assertThat(random).hasSizeGreaterThan(30);
    assertThat(pct).hasSizeGreaterThan(20);
  }

  @Test
  void depthOneOfPctRunsEachActorInOnePieceAndDepthTwoChangesOnceMore() {
    for (int seed = 0; seed < 50; seed++) {
      assertThat(switches(order(Choosers.pct(seed, 1, 12), 3))).isEqualTo(2);
      assertThat(switches(order(Choosers.pct(seed, 2, 12), 3))).isBetween(2, 3 + 1);
    }
  }

  @Test
  void anOrderIsFollowedAsFarAsItGoes() {
    Choosers.Following all = Choosers.following(List.of(1, 0, 1, 0, 0, 0, 1, 1));
    assertThat(order(all, 2)).containsExactly(1, 0, 1, 0, 0, 0, 1, 1);
    assertThat(all.leftAt()).isEqualTo(-1);

    Choosers.Following cut = Choosers.following(List.of(1, 1));
    assertThat(order(cut, 2))
        .as("whoever went last goes on")
        .containsExactly(1, 1, 1, 1, 0, 0, 0, 0);
    assertThat(cut.leftAt()).isEqualTo(2);

    Choosers.Following wrong = Choosers.following(List.of(0, 7));
    assertThat(order(wrong, 2)).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
    assertThat(wrong.leftAt()).isEqualTo(1);
  }

  @Test
  void drawnNumbersCountFromWhoeverWentLastAndZeroIsNoSwitch() {
    assertThat(order(drawn(), 2)).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
    assertThat(order(drawn(0, 1, 0, 1), 2)).containsExactly(0, 1, 1, 0, 0, 0, 1, 1);
    assertThat(order(drawn(5, -3, 99), 2)).as("any number means something").hasSize(2 * STEPS);
  }

  @Test
  void faultsAreAskedForByName() {
    assertThat(CommandFault.parse("none")).isEmpty();
    assertThat(CommandFault.parse("all")).containsExactly(CommandFault.values());
    assertThat(CommandFault.parse("crash, lost-before"))
        .as("in order of declaration")
        .containsExactly(CommandFault.LOST_BEFORE, CommandFault.CRASH);
    assertThat(CommandFault.parse("lease-expiry")).containsExactly(CommandFault.KEY_EXPIRY);
    assertThat(CommandFault.parse("error"))
        .hasSize(8)
        .allSatisfy(fault -> assertThat(fault.title()).startsWith("error-"));
    for (CommandFault fault : CommandFault.values()) {
      assertThat(CommandFault.parse(fault.title())).containsExactly(fault);
      assertThat(fault.meaning()).isNotBlank();
    }
  }

  @Test
  void anUnknownFaultIsRefusedWithTheOnesThereAre() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CommandFault.parse("crash,meteor"))
        .withMessageStartingWith("no fault is called 'meteor'; faults are none, all, error,")
        .withMessageContainingAll(
            Arrays.stream(CommandFault.values()).map(CommandFault::title).toArray(String[]::new));
    assertThatIllegalArgumentException().isThrownBy(() -> CommandFault.parse(""));
  }

  @Test
  void whatRecoversIsAskedForBesideTheFaults() {
    assertThat(Choices.parse("none")).isEqualTo(Choices.NONE);
    assertThat(Choices.parse("all").faults()).containsExactlyInAnyOrder(CommandFault.values());
    assertThat(Choices.parse("all").recoveries()).containsExactlyInAnyOrder(Recovery.values());
    assertThat(Choices.parse("rebuild, crash"))
        .isEqualTo(new Choices(Set.of(CommandFault.CRASH), Set.of(Recovery.REBUILD)));
    assertThat(Choices.parse("reconciler"))
        .isEqualTo(new Choices(Set.of(), Set.of(Recovery.RECONCILER)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Choices.parse("rebuild,meteor"))
        .withMessageStartingWith("no fault is called 'meteor'")
        .withMessageEndingWith("reconciler, rebuild");
  }

  @Test
  void aTrialTakesRecoveriesBeforeFaultsAndNeverTheSameTwoInAnotherOrder() {
    Trial calm = new Trial(SearchPlan.requests(List.of("A"), 1, 1), FaultPlan.CALM);
    Set<Recovery> both = Set.of(Recovery.values());
    List<Trial> one = calm.withOneRecoveryMore(both);

    assertThat(one).extracting(Trial::size).containsExactly(1, 1);
    assertThat(one).extracting(trial -> trial.scenario().instances()).containsExactly(2, 2);
    assertThat(one.stream().flatMap(trial -> trial.withOneRecoveryMore(both).stream()))
        .extracting(trial -> trial.scenario().requests().stream().skip(1).toList().toString())
        .hasSize(3)
        .doesNotHaveDuplicates();
    Trial struck =
        Objects.requireNonNull(one.get(0).and(new FaultPlan.Strike(1, 0, CommandFault.LATE)));
    assertThat(struck.size()).isEqualTo(2);
    assertThat(struck.withOneRecoveryMore(both)).isEmpty();
    assertThat(calm.withOneRecoveryMore(Set.of())).as("not offered").isEmpty();
  }

  @Test
  void settingsOutOfRangeAreRefusedByName() {
    SearchSettings calm = SearchSettings.calm(Duration.ofSeconds(1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> calm.withFaults(Set.of(CommandFault.CRASH), 3))
        .withMessage("max-faults must be 0, 1 or 2, was 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> calm.within(Duration.ZERO))
        .withMessageContaining("budget");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SearchPlan.requests(List.of("A", "b"), 1, 1))
        .withMessageContaining("was 'b'");
    assertThat(calm.withFaults(Set.of(), 2).maxFaults()).as("nothing to strike").isZero();
  }

  @Test
  void aPlanHoldsOneFaultACommandAndOrdersThem() {
    FaultPlan.Strike late = new FaultPlan.Strike(1, 0, CommandFault.LATE);
    FaultPlan.Strike crash = new FaultPlan.Strike(0, 2, CommandFault.CRASH);
    FaultPlan both = new FaultPlan(List.of(late, crash));

    assertThat(both).isEqualTo(new FaultPlan(List.of(crash, late)));
    assertThat(both.at(0, 2)).isEqualTo(CommandFault.CRASH);
    assertThat(both.at(0, 1)).isNull();
    assertThat(both.and(new FaultPlan.Strike(1, 0, CommandFault.CRASH))).as("taken").isNull();
    assertThat(both.without(crash).strikes()).containsExactly(late);
  }

  private static Chooser drawn(Integer... choices) {
    return new Drawn(SearchPlan.requests(List.of("A", "B"), 1, 1), List.of(), List.of(choices))
        .chooser();
  }

  /** The order in which actors with a few steps each go. */
  private static List<Integer> order(Chooser chooser, int actors) {
    int[] left = new int[actors];
    Arrays.fill(left, STEPS);
    List<Integer> order = new ArrayList<>();
    while (order.size() < actors * STEPS) {
      List<Option> options = new ArrayList<>();
      for (int actor = 0; actor < actors; actor++) {
        if (left[actor] > 0) {
          options.add(new Option(actor, Footprint.NONE, false, 0));
        }
      }
      int next = chooser.choose(order.size(), options);
      left[next]--;
      order.add(next);
    }
    return order;
  }

  private static int switches(List<Integer> order) {
    int switches = 0;
    for (int i = 1; i < order.size(); i++) {
      switches += order.get(i).equals(order.get(i - 1)) ? 0 : 1;
    }
    return switches;
  }
}
