package io.stockproof.verification;

import io.stockproof.verification.explore.CommandFault;
import io.stockproof.verification.explore.Drawn;
import io.stockproof.verification.explore.Explorer;
import io.stockproof.verification.explore.Replay;
import io.stockproof.verification.explore.SearchArbitraries;
import io.stockproof.verification.explore.Token;
import io.stockproof.verification.rules.Rule;
import java.util.EnumSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The contract of first-come-first-served issuing: extend it, say what your subject is, and run it
 * as any other test. One test a rule of SPEC.md, named after it, and one jqwik property.
 *
 * <pre>{@code
 * class MyIssuerTest extends IssuanceContract {
 *   @Override
 *   protected Subject subject() {
 *     return Subject.jdbcAndRedis("mine", endpoints -> new MyIssuer(endpoints.dataSource())::issue);
 *   }
 * }
 * }</pre>
 *
 * <p>The subject is verified once for a class, when its first test asks: by search of interleavings
 * and faults, and by stress ({@link SubjectVerification}). What the tests then say:
 *
 * <ul>
 *   <li>A {@code required_} test fails if any run broke the rule. The message has all that is
 *       needed to understand it.
 *   <li>A {@code recommended_} test of a broken rule is aborted with the same message: to be seen,
 *       and no reason to be red.
 *   <li>A test is aborted with the reason, never green, if the subject does not claim what the rule
 *       is about, if no run met the rule's premise, or if nothing judges the rule yet.
 *   <li>{@link #verdict_isConclusive} fails if all of that proves nothing: a run failed, no command
 *       was seen on the wire, or a rule that every subject has to reach was not reached.
 *   <li>{@link #verdict_holdsForDrawnRuns} lets jqwik draw scenarios, orders and faults, and
 *       shrinks what breaks a required rule.
 * </ul>
 *
 * <p>Settings, each a system property, an environment variable such as {@code STOCKPROOF_EFFORT},
 * or an entry of {@code junit-platform.properties}: {@code stockproof.effort} (quick, standard,
 * deep), {@code stockproof.budget} (30s: half for the search, half for stress), {@code
 * stockproof.seed}, {@code stockproof.environment} (auto, embedded, containers) and {@code
 * stockproof.replay} (a token: {@link #replay} then makes this one run again, and nothing is
 * verified).
 *
 * <p>Every JVM has servers of its own, so forks may run side by side. Within one JVM, classes take
 * turns on the servers, whatever JUnit's settings for parallel execution are.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.MethodName.class)
@ResourceLock("io.stockproof.environment")
public abstract class IssuanceContract implements Supplier<Subject> {

  private static final int MOST_REQUESTS = 4;
  private static final int MOST_INSTANCES = 3;
  private static final int MOST_FAULTS = 1;

  private @Nullable ContractRun run;
  private @Nullable Exception failed;
  private @Nullable DrawnRuns drawnRuns;

  /** For classes that extend it. */
  protected IssuanceContract() {}

  /** The subject: a new one at every call, to be closed by whoever called. */
  protected abstract Subject subject();

  /** A new subject, for the command line's {@code --subject}. */
  @Override
  public final Subject get() {
    return subject();
  }

  /** R101: never more rows than stock. */
  @Test
  public final void required_R101_neverMoreRowsThanStock() throws Exception {
    check(Rule.R101);
  }

  /** R102: one row a user. */
  @Test
  public final void required_R102_oneRowAUser() throws Exception {
    check(Rule.R102);
  }

  /** R103: counter equals rows. */
  @Test
  public final void required_R103_counterEqualsRows() throws Exception {
    check(Rule.R103);
  }

  /** R104: gate stock never negative. */
  @Test
  public final void required_R104_gateStockNeverNegative() throws Exception {
    check(Rule.R104);
  }

  /** R105: coupons do not affect one another. */
  @Test
  public final void required_R105_couponsDoNotAffectOneAnother() throws Exception {
    check(Rule.R105);
  }

  /** R201: rows and answers agree. */
  @Test
  public final void required_R201_rowsAndAnswersAgree() throws Exception {
    check(Rule.R201);
  }

  /** R202: no unit leaked. */
  @Test
  public final void required_R202_noUnitLeaked() throws Exception {
    check(Rule.R202);
  }

  /** R203: gate agrees with rows at rest. */
  @Test
  public final void required_R203_gateAgreesWithRowsAtRest() throws Exception {
    check(Rule.R203);
  }

  /** R204: compensation exactly once. */
  @Test
  public final void required_R204_compensationExactlyOnce() throws Exception {
    check(Rule.R204);
  }

  /** R205: rest is reached in time. */
  @Test
  public final void required_R205_restIsReachedInTime() throws Exception {
    check(Rule.R205);
  }

  /** R206: sold completely at the first attempt. */
  @Test
  public final void recommended_R206_soldCompletelyAtTheFirstAttempt() throws Exception {
    check(Rule.R206);
  }

  /** R301: ISSUED means durable. */
  @Test
  public final void required_R301_issuedMeansDurable() throws Exception {
    check(Rule.R301);
  }

  /** R302: a refusal writes nothing. */
  @Test
  public final void required_R302_aRefusalWritesNothing() throws Exception {
    check(Rule.R302);
  }

  /** R303: SOLD_OUT only when nothing is left. */
  @Test
  public final void required_R303_soldOutOnlyWhenNothingIsLeft() throws Exception {
    check(Rule.R303);
  }

  /** R304: DUPLICATE only to a holder. */
  @Test
  public final void required_R304_duplicateOnlyToAHolder() throws Exception {
    check(Rule.R304);
  }

  /** R305: UNAVAILABLE leaves nothing behind. */
  @Test
  public final void required_R305_unavailableLeavesNothingBehind() throws Exception {
    check(Rule.R305);
  }

  /** R306: one outcome within the deadline. */
  @Test
  public final void required_R306_oneOutcomeWithinTheDeadline() throws Exception {
    check(Rule.R306);
  }

  /** R307: asking again is harmless. */
  @Test
  public final void required_R307_askingAgainIsHarmless() throws Exception {
    check(Rule.R307);
  }

  /** R308: contention is not told as SOLD_OUT. */
  @Test
  public final void required_R308_contentionIsNotToldAsSoldOut() throws Exception {
    check(Rule.R308);
  }

  /** R309: calm ends in clear answers. */
  @Test
  public final void required_R309_calmEndsInClearAnswers() throws Exception {
    check(Rule.R309);
  }

  /** R310: HTTP statuses say what to do next. */
  @Test
  public final void required_R310_httpStatusesSayWhatToDoNext() throws Exception {
    check(Rule.R310);
  }

  /** R401: SOLD_OUT writes nothing to the database. */
  @Test
  public final void recommended_R401_soldOutWritesNothingToTheDatabase() throws Exception {
    check(Rule.R401);
  }

  /** R402: SOLD_OUT does not touch the database. */
  @Test
  public final void recommended_R402_soldOutDoesNotTouchTheDatabase() throws Exception {
    check(Rule.R402);
  }

  /** R403: no connection held while waiting elsewhere. */
  @Test
  public final void recommended_R403_noConnectionHeldWhileWaitingElsewhere() throws Exception {
    check(Rule.R403);
  }

  /** R404: bystanders keep their latency. */
  @Test
  public final void recommended_R404_bystandersKeepTheirLatency() throws Exception {
    check(Rule.R404);
  }

  /** R501: kept through every fault. */
  @Test
  public final void required_R501_keptThroughEveryFault() throws Exception {
    check(Rule.R501);
  }

  /** R502: loss of Redis data is harmless. */
  @Test
  public final void required_R502_lossOfRedisDataIsHarmless() throws Exception {
    check(Rule.R502);
  }

  /** R503: a crash loses and doubles nothing. */
  @Test
  public final void required_R503_aCrashLosesAndDoublesNothing() throws Exception {
    check(Rule.R503);
  }

  /** R504: a stalled holder cannot write. */
  @Test
  public final void required_R504_aStalledHolderCannotWrite() throws Exception {
    check(Rule.R504);
  }

  /** R601: nothing outside the window. */
  @Test
  public final void required_R601_nothingOutsideTheWindow() throws Exception {
    check(Rule.R601);
  }

  /** R602: opening again changes nothing. */
  @Test
  public final void required_R602_openingAgainChangesNothing() throws Exception {
    check(Rule.R602);
  }

  /** R603: bad input has no effect. */
  @Test
  public final void required_R603_badInputHasNoEffect() throws Exception {
    check(Rule.R603);
  }

  /** R701: right with several instances. */
  @Test
  public final void required_R701_rightWithSeveralInstances() throws Exception {
    check(Rule.R701);
  }

  /** The verification as a whole proves something. */
  @Test
  public final void verdict_isConclusive() throws Exception {
    String reason = run().inconclusive();
    if (reason != null) {
      Assertions.fail(reason);
    }
  }

  /** Whatever is asked, in whatever order, with whatever fault: no required rule is broken. */
  @Property
  @AddLifecycleHook(DrawnRuns.Hook.class)
  public final void verdict_holdsForDrawnRuns(@ForAll("drawnRuns") Drawn drawn) throws Exception {
    String failure = drawnRuns().failure(drawn);
    if (failure != null) {
      throw new AssertionError(failure);
    }
  }

  /** Scenarios with users who ask once or more, orders of their commands, and faults. */
  @Provide("drawnRuns")
  public final Arbitrary<Drawn> anyRuns() {
    return SearchArbitraries.runs(
        SearchArbitraries.scenarios(
            MOST_REQUESTS, drawnRuns().claims(Capability.MULTI_INSTANCE) ? MOST_INSTANCES : 1),
        EnumSet.allOf(CommandFault.class),
        MOST_FAULTS);
  }

  /** The run of {@code stockproof.replay}; no test if there is no token. */
  @TestFactory
  public final Stream<DynamicTest> replay() {
    return ContractSettings.read().replay().stream()
        .map(text -> DynamicTest.dynamicTest(text, () -> replay(Token.parse(text))));
  }

  private void replay(Token token) throws Exception {
    try (Subject subject = subject();
        Explorer explorer = new Explorer(ContractRun.environment(), subject)) {
      Replay replay = explorer.replay(token);
      String failure = ContractRun.failure(getClass(), token, replay);
      if (failure != null) {
        Assertions.fail(failure);
      }
    }
  }

  private void check(Rule rule) throws Exception {
    ContractRun.Answer answer = run().answer(rule);
    if (answer.notJudged() != null) {
      Assumptions.abort(rule.id() + " " + rule.title() + ": " + answer.notJudged());
    }
    if (answer.violated() != null && rule.strength() == Rule.Strength.SHOULD) {
      Assumptions.abort(answer.violated());
    }
    if (answer.violated() != null) {
      Assertions.fail(answer.violated());
    }
  }

  /** The one verification of this class, made when it is first asked for. */
  private synchronized ContractRun run() throws Exception {
    ContractSettings settings = ContractSettings.read();
    Assumptions.assumeTrue(settings.replay().isEmpty(), "only replays the token given");
    if (run == null && failed == null) {
      try {
        run = ContractRun.of(getClass(), settings, this);
      } catch (Exception cannotVerify) {
        failed = cannotVerify;
      }
    }
    if (run == null) {
      throw new IllegalStateException("nothing was verified: " + failed, failed);
    }
    return run;
  }

  /** Prints what was covered. */
  @AfterAll
  public final synchronized void tellWhatWasCovered() {
    if (run != null) {
      run.report().forEach(System.out::println);
    }
  }

  final DrawnRuns drawnRuns() {
    if (drawnRuns == null) {
      throw new IllegalStateException("no property is running");
    }
    return drawnRuns;
  }

  final void drawnRuns(@Nullable DrawnRuns ofThisProperty) {
    drawnRuns = ofThisProperty;
  }
}
