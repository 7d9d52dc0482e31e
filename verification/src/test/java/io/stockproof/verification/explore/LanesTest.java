package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.wire.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The picture of a run on a terminal. */
final class LanesTest extends SearchesRealServers {

  private static final Words SELECT =
      sql("SELECT", "SELECT issued, total, status FROM coupon WHERE id = ?", "1");
  private static final Words INSERT_A =
      sql("INSERT", "INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)", "1", "'100'");
  private static final Words COMMIT = sql("COMMIT", "COMMIT");
  private static final Words GATE =
      new Words(
          true,
          2,
          true,
          "EVALSHA",
          List.of("coupon:{1}:stock", "coupon:{1}:users"),
          "EVALSHA abc 2 …",
          List.of("100"));

  private final List<Step> steps = new ArrayList<>();

  @Test
  void eachRequestHasALaneAndTheBooksStandBeside() {
    step(0, SELECT, rows("0", "1", "ACTIVE"), books(0, 0));
    step(1, SELECT, rows("0", "1", "ACTIVE"), books(0, 0));
    step(0, INSERT_A, changed(1), books(0, 0));
    step(0, COMMIT, changed(0), books(1, 1));

    assertThat(draw(120, 4).lines().toList())
        .containsExactly(
            "step  A (user 100)                                  B (user 101)                                    gate   rows  counter",
            "  1   SELECT issued, total, status … → 0, 1, ACTIVE                                                    -     0        0",
            "  2                                                 SELECT issued, total, status … → 0, 1, ACTIVE      -     0        0",
            "  3   INSERT issued_coupon (1, '100')                                                                  -     0        0",
            "  4   COMMIT                                                                                           -     1        1◄",
            "                                                                                                       books part here ↑");
  }

  @Test
  void whatDoesNotFitIsCutAndTheAnswerKept() {
    step(0, SELECT, rows("0", "1", "ACTIVE"), null);
    step(1, SELECT, rows("0", "1", "ACTIVE"), null);

    assertThat(draw(80, 0).lines().toList().get(1)).isEqualTo("  1   SELECT issue… → 0, 1, AC…");
  }

  @Test
  void lanesThatWouldBeTooNarrowAreOneLane() {
    step(0, GATE, rows("1"), null);
    step(2, GATE, rows("-2"), null);

    String text = Lanes.draw(Drawing.of(run(requests("A,B,C", 1, 3)), 0), 80);

    assertThat(text.lines().toList().get(0))
        .startsWith("step  A (user 100@0), B (user 101@1), C (user 102@2)");
    assertThat(text)
        .contains("  1   A: EVALSHA stock users → 1")
        .contains("  2   C: EVALSHA stock users → -2");
  }

  @Test
  void answersSayWhatMattersAndFaultsAreMarked() {
    step(0, sql("UPDATE", "UPDATE coupon SET issued = 1"), changed(0), null);
    step(0, SELECT, new Reply(false, 0, "", -1, 0, List.of(), true), null);
    step(0, COMMIT, new Reply(true, 1213, "Deadlock found", -1, 0, List.of(), true), null);
    step(0, GATE, new Reply(true, 0, "OOM command not allowed", -1, 0, List.of(), true), null);
    step(0, GATE, null, null);
    steps.add(
        new Step(
            0,
            5,
            COMMIT,
            Footprint.NONE,
            CommandFault.REPLY_LOST,
            changed(0),
            6,
            List.of(),
            null,
            -1));
    steps.add(new Step(0, -1, null, Footprint.NONE, null, null, 7, List.of(), null, -1));

    assertThat(draw(120, 0))
        .contains("UPDATE coupon SET issued = 1 → 0 rows")
        .contains("coupon → none")
        .contains("COMMIT → error 1213")
        .contains("EVALSHA stock users → OOM")
        .contains("EVALSHA stock users …")
        .contains("✗ reply-lost: COMMIT")
        .contains("  7   starts");
  }

  @Test
  void waitsStandInTheLaneOfWhoWaits() {
    steps.add(
        new Step(
            0,
            0,
            SELECT,
            Footprint.NONE,
            null,
            changed(1),
            1,
            List.of(new Step.Wait(1, 0, "coupon#1")),
            null,
            -1));

    List<String> lines = draw(120, 0).lines().toList();

    int lane = lines.get(0).indexOf("B (user 101)");
    assertThat(lines.get(2)).isEqualTo(" ".repeat(lane) + "┊ waits for A, row coupon#1");
  }

  @Test
  void aLateDeliveryHasALetterOfItsOwn() {
    step(0, COMMIT, null, null);
    step(2, COMMIT, null, null);

    assertThat(draw(120, 0)).contains("  2   C: COMMIT");
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 80, 120})
  void noLineIsLongerThanTheTerminal(int width) {
    String longUser = "'" + "u".repeat(64) + "'";
    Words insert =
        sql(
            "INSERT",
            "INSERT INTO issued_coupon (coupon_id, user_id) VALUES (?, ?)",
            "1",
            longUser);
    for (int actor = 0; actor < 4; actor++) {
      steps.add(
          new Step(
              actor,
              0,
              insert,
              Footprint.NONE,
              CommandFault.KEY_EXPIRY,
              rows("x".repeat(50), "y".repeat(50)),
              1,
              List.of(new Step.Wait((actor + 1) % 4, actor, "issued_coupon#1," + longUser)),
              books(99_999, 99_999_999),
              -1));
    }
    for (String letters : List.of("A,B", "A,B,C")) {
      for (long partsAt = 0; partsAt <= 4; partsAt++) {
        assertThat(Lanes.draw(Drawing.of(run(requests(letters, 1, 1)), partsAt), width).lines())
            .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(width));
      }
    }
  }

  @Test
  void aRealFailureIsShownWithItsRuleItsLanesAndHowToSeeItAgain() throws Exception {
    Exploration found = explore(builtIn("no-control"), Scenario.users(1, 2, 1, 1), CALM);
    Exploration.Result result = resultOf(Rule.R101, found);
    Exploration.Witness witness = witnessOf(Rule.R101, found);

    assertThat(result.verdict()).isEqualTo(Verdict.VIOLATED);
    for (int width : new int[] {80, 120}) {
      List<String> lines =
          FailureText.of(result.rule(), result.detail(), witness.token(), witness.run(), width)
              .lines()
              .toList();
      assertThat(lines.get(0))
          .startsWith("R101 ")
          .contains("VIOLATED")
          .contains("2 rows > total 1");
      assertThat(lines.get(1)).startsWith("step  A (user 100)").contains("B (user 101)");
      assertThat(lines.get(lines.size() - 1))
          .isEqualTo("again: ./stockproof replay " + witness.token().text());
      List<String> picture = lines.subList(1, lines.size() - 1);
      assertThat(picture).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width));
      assertThat(picture).filteredOn(line -> line.contains("◄")).hasSize(1);
      assertThat(picture).filteredOn(line -> line.contains("books part here ↑")).hasSize(1);
      assertThat(picture.get(witness.run().steps())).contains("COMMIT").contains("2        1");
    }
  }

  private void step(int actor, Words words, @Nullable Reply reply, @Nullable StoreState books) {
    int number = steps.size() + 1;
    steps.add(
        new Step(actor, number, words, Footprint.NONE, null, reply, number, List.of(), books, -1));
  }

  private String draw(int width, long partsAt) {
    return Lanes.draw(Drawing.of(run(Scenario.users(1, 2, 1, 1)), partsAt), width);
  }

  private Run run(Scenario scenario) {
    return new Run(scenario, FaultPlan.CALM, steps, null, null, null);
  }

  private static Words sql(String name, String statement, String... parameters) {
    return new Words(false, 1, false, name, List.of(), statement, List.of(parameters));
  }

  private static Reply rows(String... values) {
    return new Reply(false, 0, "", -1, 1, new ArrayList<>(Arrays.asList(values)), true);
  }

  private static Reply changed(long rows) {
    return new Reply(false, 0, "", rows, 0, List.of(), true);
  }

  private static StoreState books(long rows, long counter) {
    return new StoreState(
        rows == 0 ? Map.of() : Map.of("100", rows),
        counter,
        StoreState.MISSING,
        Set.of(),
        Set.of());
  }
}
