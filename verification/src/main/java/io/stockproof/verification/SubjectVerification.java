package io.stockproof.verification;

import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.explore.Exploration;
import io.stockproof.verification.explore.Explorer;
import io.stockproof.verification.explore.SearchPlan;
import io.stockproof.verification.explore.SearchSettings;
import io.stockproof.verification.history.History;
import io.stockproof.verification.rules.ExpectedRules;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import io.stockproof.verification.stress.StressSettings;
import io.stockproof.verification.stress.StressVerification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Verifies a subject in both ways: by search of interleavings and faults, and by stress. Used by
 * one thread.
 */
public final class SubjectVerification {

  private final Environment environment;
  private final Effort effort;
  private final long seed;
  private final Consumer<String> progress;

  /**
   * How much is done.
   *
   * @param stressRounds how often each stress plan is run, 1 or more
   * @param stressBudget no further round is begun after this time
   * @param searchBudget time of all searches together, beside shrinking
   */
  public record Effort(int stressRounds, Duration stressBudget, Duration searchBudget) {}

  /**
   * What was found.
   *
   * @param verdict of the subject
   * @param searches in the order in which they were made
   */
  public record Outcome(SubjectVerdict verdict, List<Exploration> searches) {
    /** Copies the list. */
    public Outcome {
      searches = List.copyOf(searches);
    }

    /** How many explored runs met each interesting state: one that none met was not tested. */
    public Map<String, Long> goals() {
      Map<String, Long> sum = new LinkedHashMap<>();
      searches.forEach(
          search -> search.goals().forEach((goal, runs) -> sum.merge(goal, runs, Long::sum)));
      return sum;
    }

    /**
     * What was covered, for people: the size of the search, and which interesting states it met.
     */
    public List<String> coverage() {
      long runs = searches.stream().mapToLong(Exploration::interleavings).sum();
      long classes = searches.stream().mapToLong(Exploration::classes).sum();
      long whole = searches.stream().filter(Exploration::exhaustive).count();
      List<String> lines = new ArrayList<>();
      lines.add(
          "searched: %,d interleavings in %,d classes; %d of %d searches exhaustive"
              .formatted(runs, classes, whole, searches.size()));
      goals("runs with: ", goal -> goal.getValue() > 0, e -> e.getKey() + " " + e.getValue())
          .ifPresent(lines::add);
      goals("runs never with: ", goal -> goal.getValue() == 0, Map.Entry::getKey)
          .ifPresent(lines::add);
      return lines;
    }

    private Optional<String> goals(
        String start,
        Predicate<Map.Entry<String, Long>> which,
        Function<Map.Entry<String, Long>, String> text) {
      String joined =
          goals().entrySet().stream().filter(which).map(text).collect(Collectors.joining(", "));
      return joined.isEmpty() ? Optional.empty() : Optional.of(start + joined);
    }
  }

  /**
   * Sets how much is done.
   *
   * @param progress told a line before each part
   */
  public SubjectVerification(
      Environment environment, Effort effort, long seed, Consumer<String> progress) {
    this.environment = environment;
    this.effort = effort;
    this.seed = seed;
    this.progress = progress;
  }

  /** Parts of a verification: how often {@code progress} is told at most. */
  public static int parts(Effort effort, Set<Capability> capabilities) {
    return SearchPlan.standard(capabilities).size()
        + StressVerification.runs(effort.stressRounds());
  }

  /**
   * Searches, stresses and judges.
   *
   * @param make makes a subject; called again for what is searched side by side
   * @throws Exception if a store cannot be used at all
   */
  public Outcome verify(Supplier<? extends Subject> make, ExpectedRules expected) throws Exception {
    try (Subject subject = make.get()) {
      return verify(subject, make, expected);
    }
  }

  private Outcome verify(Subject subject, Supplier<? extends Subject> make, ExpectedRules expected)
      throws Exception {
    SubjectJudge judge = new SubjectJudge(expected);
    List<Exploration> searches = search(subject, make, expected, judge);
    stress(what -> {}).verify(subject, judge);
    // Last, as any other reason why a rule was not reached says more.
    judge.add(1, false, Rules.unreached(subject.capabilities()));
    return new Outcome(judge.verdict(required(subject), mustShow(expected, searches)), searches);
  }

  /**
   * Searches and stresses in the same order and with the same budgets as {@link #verify}, until a
   * rule is broken.
   *
   * @param make makes a subject; called again for what is searched side by side
   * @return how it was broken; null if it was not
   * @throws Exception if a store cannot be used, or the subject cannot be searched
   */
  public @Nullable FirstViolation firstViolation(Supplier<? extends Subject> make, Rule rule)
      throws Exception {
    try (Subject subject = make.get()) {
      FirstViolation[] found = new FirstViolation[1];
      List<SearchPlan> plans = SearchPlan.standard(subject.capabilities());
      try (Explorer explorer = new Explorer(environment, subject, make)) {
        explorer.ready(largest(plans));
        eachPlan(
            plans,
            (plan, settings) -> {
              Exploration searched =
                  explorer.exploreUntil(rule, plan.scenario(), settings, Explorer.Observer.NONE);
              found[0] = FirstViolation.in(plan.title(), rule, searched);
              return found[0] == null;
            });
      }
      return found[0] != null ? found[0] : firstByStress(subject, rule);
    }
  }

  private @Nullable FirstViolation firstByStress(Subject subject, Rule rule)
      throws InterruptedException {
    SubjectJudge judge = new SubjectJudge(ExpectedRules.none());
    String[] last = new String[1];
    stress(what -> last[0] = what).verifyUntil(rule, subject, judge);
    Finding broken = judge.violation(rule);
    return broken == null
        ? null
        : new FirstViolation(String.valueOf(last[0]), broken.detail(), null);
  }

  private StressVerification stress(Consumer<String> told) {
    return new StressVerification(
        environment,
        StressSettings.defaults().withSeed(seed),
        effort.stressRounds(),
        effort.stressBudget(),
        what -> {
          told.accept("stress, " + what);
          progress.accept("stress, " + what);
        });
  }

  private List<Exploration> search(
      Subject subject, Supplier<? extends Subject> make, ExpectedRules expected, SubjectJudge judge)
      throws Exception {
    List<SearchPlan> plans = SearchPlan.standard(subject.capabilities());
    List<Exploration> searches = new ArrayList<>();
    try (Explorer explorer = new Explorer(environment, subject, make)) {
      try {
        explorer.ready(largest(plans));
      } catch (InterruptedException stop) {
        throw stop;
      } catch (Exception failed) {
        judge.addFailure("an instance could not be started: " + failed);
        return searches;
      }
      eachPlan(
          plans,
          (plan, settings) -> {
            SubjectJudge ofThisSearch = new SubjectJudge(expected);
            Exploration found;
            try {
              found = explorer.explore(plan.scenario(), settings, into(ofThisSearch), searches);
            } catch (InterruptedException stop) {
              throw stop;
            } catch (Exception failed) {
              judge.add(ofThisSearch);
              judge.addFailure("search, " + plan.title() + ": " + failed);
              return false;
            }
            searches.add(found);
            if (found.commandsIntercepted() == 0) {
              // Nothing was steered, so nobody looked at the books when they changed.
              judge.addFailure(
                  "no command was seen on the wire: does the instance use its endpoints?");
              return false;
            }
            judge.add(ofThisSearch);
            if (!found.conclusive()) {
              judge.addFailure("search, " + plan.title() + ": " + found.limits().get(0));
            }
            return true;
          });
    }
    return searches;
  }

  private static Scenario largest(List<SearchPlan> plans) {
    return plans.stream()
        .map(SearchPlan::scenario)
        .max(Comparator.comparingInt(Scenario::instances))
        .orElseThrow();
  }

  private interface OnePlan {
    /** Whether to go on with the next plan. */
    boolean search(SearchPlan plan, SearchSettings settings) throws Exception;
  }

  /** Half of what is left of the time for each but the last. */
  private void eachPlan(List<SearchPlan> plans, OnePlan one) throws Exception {
    long deadline = System.nanoTime() + effort.searchBudget().toNanos();
    for (int i = 0; i < plans.size(); i++) {
      SearchPlan plan = plans.get(i);
      progress.accept("search, " + plan.title());
      long left = Math.max(deadline - System.nanoTime(), Duration.ofMillis(300).toNanos());
      Duration budget = Duration.ofNanos(i + 1 < plans.size() ? Math.max(left / 2, 1) : left);
      SearchSettings settings =
          new SearchSettings(
              SearchSettings.Mode.EXHAUSTIVE, plan.choices(), plan.maxFaults(), budget, seed, true);
      if (!one.search(plan, settings)) {
        return;
      }
    }
  }

  private static Explorer.Observer into(SubjectJudge judge) {
    return new Explorer.Observer() {
      @Override
      public void judged(History history, List<Finding> findings) {
        judge.add(history.scenario().instances(), !history.calm(), findings);
      }
    };
  }

  private static Set<Rule> required(Subject subject) {
    Set<Rule> required = EnumSet.copyOf(StressVerification.required(subject.capabilities()));
    required.add(Rule.R503);
    if (subject.capabilities().contains(Capability.RECOVERY)) {
      // Who never answers UNAVAILABLE has nothing to leave behind.
      required.add(Rule.R305);
    }
    Set<Rule> bySearch = EnumSet.of(Rule.R501, Rule.R502, Rule.R601, Rule.R602, Rule.R603);
    bySearch.removeIf(rule -> !Rules.appliesTo(rule, subject.capabilities()));
    required.addAll(bySearch);
    return required;
  }

  /**
   * A baseline breaks exactly what it is known to break, as far as that can be judged today. What
   * only faults show has to be shown only if there was time to try them all.
   */
  private static Set<Rule> mustShow(ExpectedRules expected, List<Exploration> searches) {
    boolean allFaults = searches.stream().allMatch(Exploration::exhaustive);
    Set<Rule> rules = EnumSet.noneOf(Rule.class);
    rules.addAll(expected.in(2, allFaults));
    rules.retainAll(Rules.judged());
    rules.remove(Rule.R701);
    return rules;
  }
}
