package io.stockproof.verification.stress;

import io.stockproof.verification.Capability;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.SubjectJudge;
import io.stockproof.verification.SubjectVerdict;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.history.History;
import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Verifies a subject by all plans, with one instance and, if it claims {@link
 * Capability#MULTI_INSTANCE}, with two. Used by one thread.
 */
public final class StressVerification {
  private static final AtomicLong NEXT_COUPON = new AtomicLong(1);
  private static final int COUPONS_OF_A_PLAN = 2;

  private final Environment environment;
  private final StressSettings settings;
  private final int rounds;
  private final Duration budget;
  private final Consumer<String> progress;

  /**
   * Sets how much is done.
   *
   * @param rounds how often each plan is run, 1 or more; the first round is always finished
   * @param budget no further round is begun after this time
   * @param progress told a line before each run
   */
  public StressVerification(
      Environment environment,
      StressSettings settings,
      int rounds,
      Duration budget,
      Consumer<String> progress) {
    this.environment = environment;
    this.settings = settings;
    this.rounds = rounds;
    this.budget = budget;
    this.progress = progress;
  }

  /** Most runs of one subject with these rounds. */
  public static int runs(int rounds) {
    return rounds * 2 * StressPlan.all(1).size();
  }

  /** Runs all plans on a subject and adds up what they say. */
  public SubjectVerdict verify(Subject subject, ExpectedRules expected)
      throws InterruptedException {
    SubjectJudge judge = new SubjectJudge(expected);
    verify(subject, judge);
    return judge.verdict(required(subject.capabilities()), expected.shownByStress());
  }

  /** Runs all plans on a subject and tells the judge what they say. */
  public void verify(Subject subject, SubjectJudge judge) throws InterruptedException {
    verify(subject, judge, () -> false);
  }

  /** The same, until the rule is broken. */
  public void verifyUntil(Rule rule, Subject subject, SubjectJudge judge)
      throws InterruptedException {
    verify(subject, judge, () -> judge.violation(rule) != null);
  }

  private void verify(Subject subject, SubjectJudge judge, BooleanSupplier enough)
      throws InterruptedException {
    int mostInstances = subject.capabilities().contains(Capability.MULTI_INSTANCE) ? 2 : 1;
    long begin = System.nanoTime();
    for (int round = 0; round < rounds; round++) {
      if (round > 0 && System.nanoTime() - begin > budget.toNanos()) {
        break;
      }
      for (int instances = 1; instances <= mostInstances; instances++) {
        for (StressPlan plan : StressPlan.all(instances)) {
          if (enough.getAsBoolean()) {
            return;
          }
          String suffix = instances == 1 ? ", 1 instance" : ", " + instances + " instances";
          progress.accept(plan.title() + suffix);
          run(subject, plan, instances, settings.withSeed(settings.seed() + round), judge);
        }
      }
    }
  }

  private void run(
      Subject subject,
      StressPlan plan,
      int instances,
      StressSettings ofThisRound,
      SubjectJudge judge)
      throws InterruptedException {
    long coupon = NEXT_COUPON.getAndAdd(COUPONS_OF_A_PLAN);
    List<Scenario> scenarios = plan.scenarios().apply(coupon);
    try {
      for (History history : StressRun.run(environment, subject, scenarios, ofThisRound)) {
        judge.add(instances, false, Rules.judge(history, subject.capabilities()));
      }
    } catch (InterruptedException stop) {
      throw stop;
    } catch (Exception failure) {
      judge.addFailure(
          plan.title() + ": " + failure.getClass().getSimpleName() + ": " + failure.getMessage());
    }
  }

  /** MUST rules that calm stress reaches with every subject that claims these capabilities. */
  public static Set<Rule> required(Set<Capability> capabilities) {
    Set<Rule> required = EnumSet.noneOf(Rule.class);
    for (Rule rule : Rule.values()) {
      boolean byStress =
          rule.means() == Rule.Means.STEPWISE_AND_STRESS || rule.means() == Rule.Means.STRESS;
      if (byStress
          && rule.strength() == Rule.Strength.MUST
          && Rules.appliesTo(rule, capabilities)) {
        required.add(rule);
      }
    }
    return required;
  }
}
