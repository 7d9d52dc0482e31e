package io.stockproof.verification.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.TestExecutionResult.Status.ABORTED;
import static org.junit.platform.engine.TestExecutionResult.Status.FAILED;
import static org.junit.platform.engine.TestExecutionResult.Status.SUCCESSFUL;

import io.stockproof.verification.IssuanceContract;
import io.stockproof.verification.explore.Token;
import io.stockproof.verification.rules.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user of the contract sees, with issuers that are wrong. */
class IssuanceContractTest {

  private static final String R101 = "required_R101_neverMoreRowsThanStock";
  private static final String DRAWN = "verdict_holdsForDrawnRuns";
  private static final String CONCLUSIVE = "verdict_isConclusive";

  @SuppressWarnings("NullAway.Init") // by BeforeAll
  private static Launched naive;

  @BeforeAll
  static void runTheNaiveOne() {
    naive = Launched.run(Map.of(), NaiveContract.class);
  }

  @BeforeEach
  void littleTime() {
    System.setProperty("stockproof.budget", "4s");
  }

  @AfterEach
  void forgetSettings() {
    System.clearProperty("stockproof.budget");
    System.clearProperty("stockproof.replay");
    System.clearProperty("stockproof.seed");
  }

  @Test
  void aNaiveIssuerBreaksTheRulesThatItBreaksAndNoOther() {
    String crash = "required_R503_aCrashLosesAndDoublesNothing";
    String instances = "required_R701_rightWithSeveralInstances";
    String counter = "required_R103_counterEqualsRows";
    // A crash is tried last, if there is time.
    assertThat(naive.of(NaiveContract.class, FAILED))
        .contains(R101, counter, instances, DRAWN)
        .isSubsetOf(R101, counter, instances, DRAWN, crash);
    assertThat(naive.of(NaiveContract.class, SUCCESSFUL))
        .contains("required_R102_oneRowAUser", "required_R301_issuedMeansDurable", CONCLUSIVE);
  }

  @Test
  void theMessageAloneIsEnoughToUnderstandTheBug() {
    String message = naive.message(NaiveContract.class, R101);
    assertThat(message)
        .startsWith("R101 never more rows than stock  VIOLATED  2 rows > total 1")
        .contains("MUST: at every committed state, rows ≤ total")
        .contains("A unit that does not exist was promised to someone.")
        .containsPattern("step +A \\(user \\d+@0\\) +B \\(user \\d+@1\\) +gate +rows +counter")
        .contains("SELECT total - issued", "INSERT issued_coupon", "books part here ↑")
        .containsPattern(
            "again: mvn test '-Dtest=\\S+\\.NaiveContract#replay' -Dstockproof.replay=SP1\\.\\S+")
        .containsPattern(
            "or: ./stockproof replay SP1\\.\\S+ --classpath target/test-classes:target/classes"
                + " --subject '\\S+\\.NaiveContract'");
  }

  @Test
  void whatIsNotClaimedOrNotJudgedIsSkippedWithTheReason() {
    assertThat(naive.of(NaiveContract.class, ABORTED))
        .contains("required_R104_gateStockNeverNegative", "required_R601_nothingOutsideTheWindow");
    assertThat(naive.message(NaiveContract.class, "required_R104_gateStockNeverNegative"))
        .isEqualTo("R104 gate stock never negative: naive does not claim GATE");
    assertThat(naive.message(NaiveContract.class, "required_R305_unavailableLeavesNothingBehind"))
        .startsWith("R305 UNAVAILABLE leaves nothing behind: not reached: ");
    assertThat(naive.message(NaiveContract.class, "required_R310_httpStatusesSayWhatToDoNext"))
        .endsWith(": not judged yet: needs a service over HTTP");
  }

  @Test
  void thePropertyShrinksWhatItFindsToARunThatReplays() {
    String message = naive.message(NaiveContract.class, DRAWN);
    Token token = token(message);
    assertThat(token.scenario().requests()).hasSizeLessThanOrEqualTo(2);
    assertThat(token.faults()).isEmpty();
    assertThat(message).contains("VIOLATED", "books part here ↑");
  }

  @Test
  void aTokenIsReplayedAloneAndFailsInTheSameWay() {
    String token = token(naive.message(NaiveContract.class, R101)).text();
    System.setProperty("stockproof.replay", token);

    Launched replayed = Launched.run(Map.of(), NaiveContract.class);

    assertThat(replayed.of(NaiveContract.class, FAILED)).containsExactly("replay");
    assertThat(replayed.message(NaiveContract.class, "replay"))
        .startsWith("R101 never more rows than stock  VIOLATED  2 rows > total 1");
    assertThat(replayed.of(NaiveContract.class, SUCCESSFUL)).isEmpty();
    assertThat(replayed.message(NaiveContract.class, R101)).contains("only replays the token");
  }

  @Test
  void aTokenOfOtherCodeDivergesAndIsNeverGreen() {
    System.setProperty("stockproof.replay", token(naive.message(NaiveContract.class, R101)).text());

    Launched replayed = Launched.run(Map.of(), TenLinesTest.class);

    assertThat(replayed.of(TenLinesTest.class, FAILED)).containsExactly("replay");
    assertThat(replayed.message(TenLinesTest.class, "replay"))
        .startsWith("INCONCLUSIVE: diverged at step 1: expected SELECT, saw ");
  }

  @Test
  void classesThatRunAtTheSameTimeDoNotDisturbEachOther() {
    Launched both =
        Launched.run(
            Map.of(
                "junit.jupiter.execution.parallel.enabled", "true",
                "junit.jupiter.execution.parallel.mode.default", "concurrent",
                "junit.jupiter.execution.parallel.mode.classes.default", "concurrent"),
            NaiveContract.class,
            OversellingContract.class);

    Set<String> ofNaive = both.of(NaiveContract.class, FAILED);
    assertThat(ofNaive).contains(R101, "required_R103_counterEqualsRows");
    assertThat(ofNaive).doesNotContain("required_R102_oneRowAUser", CONCLUSIVE);
    assertThat(both.of(OversellingContract.class, FAILED))
        .contains(R101, "required_R102_oneRowAUser")
        .doesNotContain(CONCLUSIVE);
    assertThat(both.message(OversellingContract.class, R101))
        .contains("OversellingContract#replay");
  }

  @Test
  void anIssuerOfWhichNothingWasSeenIsInconclusiveAndThatIsRed() {
    Launched launched = Launched.run(Map.of(), BesideTheWireContract.class);

    assertThat(launched.of(BesideTheWireContract.class, FAILED)).contains(CONCLUSIVE);
    assertThat(launched.message(BesideTheWireContract.class, CONCLUSIVE))
        .startsWith("beside is INCONCLUSIVE: no command was seen on the wire")
        .contains("runs never with: ", "two-past-gate");
  }

  @Test
  void aRequiredRuleThatNeverMetItsPremiseIsInconclusiveAndThatIsRed() {
    Launched launched = Launched.run(Map.of(), GatelessContract.class);

    assertThat(launched.of(GatelessContract.class, FAILED)).containsExactly(CONCLUSIVE);
    assertThat(launched.message(GatelessContract.class, CONCLUSIVE))
        .startsWith("gateless is INCONCLUSIVE: never reached R104");
    assertThat(launched.of(GatelessContract.class, ABORTED))
        .contains("required_R104_gateStockNeverNegative");
    assertThat(launched.message(GatelessContract.class, "required_R104_gateStockNeverNegative"))
        .startsWith("R104 gate stock never negative: not reached: ");
  }

  @Test
  void aBadSettingIsNamedByEveryTest() {
    System.setProperty("stockproof.seed", "many");

    Launched launched = Launched.run(Map.of(), GatelessContract.class);

    assertThat(launched.of(GatelessContract.class, SUCCESSFUL)).isEmpty();
    assertThat(launched.message(GatelessContract.class, R101))
        .isEqualTo("stockproof.seed (or STOCKPROOF_SEED) must be a whole number, was 'many'");
  }

  @Test
  void everyRuleHasATestNamedAfterIt() {
    Set<String> named =
        Arrays.stream(Rule.values())
            .map(rule -> strength(rule) + "_" + rule.id() + "_" + camelCase(rule.title()))
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> tests =
        Arrays.stream(IssuanceContract.class.getDeclaredMethods())
            .filter(method -> method.isAnnotationPresent(Test.class))
            .map(method -> method.getName())
            .filter(name -> !name.equals(CONCLUSIVE))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(tests).isEqualTo(named);
  }

  @ParameterizedTest
  @CsvSource({"TenLinesTest, 10", "NaiveContract, 10", "OwnSchemaTest, 30"})
  void aContractIsShort(String example, int most) throws IOException {
    List<String> lines =
        Files.readAllLines(
            Path.of("src/test/java", "io/stockproof/verification/contract", example + ".java"));
    int open = lines.indexOf("class " + example + " extends IssuanceContract {");
    int close = lines.indexOf("}");
    assertThat(open).as("where the class begins").isPositive();
    assertThat(lines.subList(open + 1, close)).hasSizeBetween(4, most);
  }

  private static Token token(String message) {
    String before = "./stockproof replay ";
    return Token.parse(
        message.substring(message.indexOf(before) + before.length()).split(" ", -1)[0]);
  }

  private static String strength(Rule rule) {
    return rule.strength() == Rule.Strength.MUST ? "required" : "recommended";
  }

  private static String camelCase(String title) {
    StringBuilder name = new StringBuilder();
    for (String word : title.toLowerCase(Locale.ROOT).split("[^a-z0-9]+", -1)) {
      name.append(
          name.isEmpty()
              ? word
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return name.toString();
  }
}
