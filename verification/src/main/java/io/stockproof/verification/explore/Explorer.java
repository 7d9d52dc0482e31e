package io.stockproof.verification.explore;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.history.History;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Searches the orders of commands of concurrent requests, with faults between them, for runs that
 * break a rule. Holds the instances of one subject; one search at a time.
 */
public final class Explorer implements AutoCloseable {

  private static final Duration SHRINK_BUDGET = Duration.ofSeconds(6);

  private final Stage stage;
  private final Environment environment;

  /**
   * Prepares the wires; instances start with the first run.
   *
   * @throws SQLException if the database does not answer
   */
  public Explorer(Environment environment, Subject subject) throws SQLException {
    this.environment = environment;
    this.stage = new Stage(environment, subject);
  }

  /**
   * How far a search is.
   *
   * @param interleavings runs so far
   * @param classes of them not equivalent
   * @param perSecond runs a second so far
   * @param left time left
   */
  public record Progress(long interleavings, long classes, double perSecond, Duration left) {}

  /**
   * Searches, and shrinks the first run that breaks each rule.
   *
   * @throws Exception if the stores or the subject cannot be used at all
   */
  public Exploration explore(Scenario scenario, SearchSettings settings, Observer observer)
      throws Exception {
    Search search = new Search(scenario, settings, observer, run -> false);
    search.go();
    return search.result();
  }

  /** Watches a search; called on its thread. */
  public interface Observer {
    /** Watches nothing. */
    Observer NONE = new Observer() {};

    /** A run has ended. */
    default void progress(Progress progress) {}

    /** A run was judged. */
    default void judged(History history, List<Finding> findings) {}
  }

  /**
   * Searches until a rule is broken, and gives that run; null if none was found in the budget.
   *
   * @throws Exception if the stores or the subject cannot be used at all
   */
  @Nullable Run firstViolation(
      Scenario scenario, SearchSettings settings, Rule rule, List<FaultPlan> plans)
      throws Exception {
    Run[] found = new Run[1];
    Search search =
        new Search(
            scenario,
            settings,
            Observer.NONE,
            run -> {
              found[0] = breaks(run, rule) ? run : null;
              return found[0] != null;
            });
    search.over(plans);
    return found[0];
  }

  /** Whether the run breaks the rule. */
  boolean breaks(Run run, Rule rule) {
    return violation(run, rule) != null;
  }

  private @Nullable Finding violation(Run run, Rule rule) {
    if (run.history() == null) {
      return null;
    }
    return Rules.judge(run.history(), stage.subject().capabilities()).stream()
        .filter(f -> f.rule() == rule && f.verdict() == Verdict.VIOLATED)
        .findFirst()
        .orElse(null);
  }

  /** Runs one order, reading every state anew. */
  Run follow(Scenario scenario, FaultPlan plan, List<Integer> order) throws Exception {
    return stage.run(scenario, plan, Choosers.following(order), null);
  }

  /**
   * One run again, step by step.
   *
   * @return what happened, and where it left the token's way
   * @throws Exception if the stores or the subject cannot be used at all
   */
  public Replay replay(Token token) throws Exception {
    Run run = follow(token.scenario(), token.plan(), token.order());
    List<Finding> findings =
        run.history() == null
            ? List.of()
            : Rules.judge(run.history(), stage.subject().capabilities());
    return Replay.of(token, run, findings);
  }

  /**
   * One run by choices that somebody else has drawn.
   *
   * @return what happened; its token replays it
   * @throws Exception if the stores or the subject cannot be used at all
   */
  public Played play(Drawn drawn) throws Exception {
    Run run = stage.run(drawn.scenario(), drawn.plan(), drawn.chooser(), null);
    List<Finding> findings =
        run.history() == null
            ? List.of()
            : Rules.judge(run.history(), stage.subject().capabilities());
    return new Played(
        Token.of(stage.subject().name(), run),
        new Exploration.Picture(run, firstBreak(findings)),
        findings);
  }

  /**
   * A run that was played.
   *
   * @param token replays it
   * @param run to look at
   * @param findings what the rules say of it; empty if it stalled
   */
  public record Played(Token token, Exploration.Picture run, List<Finding> findings) {
    /** Copies the list. */
    public Played {
      findings = List.copyOf(findings);
    }
  }

  static long firstBreak(List<Finding> findings) {
    return findings.stream()
        .filter(f -> f.verdict() == Verdict.VIOLATED && f.moment() != Finding.NO_MOMENT)
        .mapToLong(Finding::moment)
        .min()
        .orElse(0);
  }

  @Override
  public void close() throws SQLException {
    stage.close();
  }

  /** One search under way. */
  private final class Search {
    private final Scenario scenario;
    private final SearchSettings settings;
    private final Observer observer;
    private final Predicate<Run> enough;
    private final long begun = System.nanoTime();
    private final Set<String> classes = new HashSet<>();
    private final Goals goals = new Goals();
    private final Map<Rule, Found> broken = new EnumMap<>(Rule.class);
    private final Map<Rule, Finding> held = new EnumMap<>(Rule.class);
    private final Map<Rule, Finding> unreached = new EnumMap<>(Rule.class);
    private final Set<String> limits = new HashSet<>();
    private long runs;
    private long commands;
    private boolean stopped;
    private double seconds;

    Search(Scenario scenario, SearchSettings settings, Observer observer, Predicate<Run> enough) {
      this.scenario = scenario;
      this.settings = settings;
      this.observer = observer;
      this.enough = enough;
    }

    /** The first run that broke a rule. */
    private record Found(Run run, Finding finding, long atRun, double afterSeconds) {}

    void go() throws Exception {
      switch (settings.mode()) {
        case EXHAUSTIVE -> everyPlan();
        case RANDOM, PCT -> byChance();
      }
      seconds = (System.nanoTime() - begun) / 1e9;
    }

    /** Calm first, then each fault at each place that was seen, then each pair. */
    private void everyPlan() throws Exception {
      Deque<FaultPlan> plans = new ArrayDeque<>(List.of(FaultPlan.CALM));
      Set<FaultPlan> known = new HashSet<>(plans);
      while (!plans.isEmpty() && !stopped) {
        FaultPlan plan = plans.remove();
        for (FaultPlan next : everyOrder(plan)) {
          if (known.add(next)) {
            plans.add(next);
          }
        }
      }
    }

    void over(List<FaultPlan> plans) throws Exception {
      for (FaultPlan plan : plans) {
        if (!stopped) {
          everyOrder(plan);
        }
      }
    }

    /** Tries every order under one plan; tells which plans with one fault more could be met. */
    private Set<FaultPlan> everyOrder(FaultPlan plan) throws Exception {
      Reduction reduction = new Reduction(settings.reduced());
      Memory memory = new Memory();
      Set<FaultPlan> next = new java.util.LinkedHashSet<>();
      while (!stopped && reduction.hasNext()) {
        if (outOfTime()) {
          limits.add("the budget of " + settings.budget().toSeconds() + " s ran out");
          stopped = true;
          return next;
        }
        Run run = stage.run(scenario, plan, reduction, settings.reduced() ? memory : null);
        reduction.finished(run.trace());
        if (reduction.diverged()) {
          limits.add(
              "the same beginning did not give the same commands: the subject is not deterministic");
        }
        note(run);
        if (plan.size() < settings.maxFaults()) {
          next.addAll(strikes(run, plan));
        }
      }
      return next;
    }

    private Set<FaultPlan> strikes(Run run, FaultPlan plan) {
      Set<FaultPlan> plans = new java.util.LinkedHashSet<>();
      for (Step step : run.steps()) {
        Words words = step.words();
        if (words == null || step.actor() >= scenario.requests().size()) {
          continue;
        }
        for (CommandFault fault : settings.faults().stream().sorted().toList()) {
          if (fault.appliesTo(words, environment.database().product())) {
            FaultPlan more = plan.and(new FaultPlan.Strike(step.actor(), step.ordinal(), fault));
            if (more != null) {
              plans.add(more);
            }
          }
        }
      }
      return plans;
    }

    private void byChance() throws Exception {
      Random random = new Random(settings.seed());
      List<FaultPlan> plans = new ArrayList<>(List.of(FaultPlan.CALM));
      Set<FaultPlan> known = new HashSet<>(plans);
      Map<FaultPlan, Memory> memories = new java.util.HashMap<>();
      int length = 8;
      while (!stopped && !outOfTime()) {
        FaultPlan plan = plans.get(random.nextInt(plans.size()));
        Chooser chooser =
            settings.mode() == SearchSettings.Mode.RANDOM
                ? Choosers.random(random.nextLong())
                : Choosers.pct(random.nextLong(), 1 + (int) (runs % 4), length);
        Memory memory = memories.computeIfAbsent(plan, p -> new Memory());
        Run run = stage.run(scenario, plan, chooser, memory);
        length = Math.max(length, run.steps().size());
        note(run);
        if (plan.size() < settings.maxFaults()) {
          strikes(run, plan).stream().filter(known::add).forEach(plans::add);
        }
      }
      limits.add("orders were drawn by chance, seed " + settings.seed());
    }

    private boolean outOfTime() {
      return System.nanoTime() - begun > settings.budget().toNanos();
    }

    private void note(Run run) {
      runs++;
      commands += run.commands();
      classes.add(run.plan() + new Reduction.Order(run.effects()).canonical());
      goals.count(run);
      if (run.history() == null) {
        limits.add("a run stalled: " + run.stall());
      } else {
        List<Finding> findings = Rules.judge(run.history(), stage.subject().capabilities());
        observer.judged(run.history(), findings);
        findings.forEach(finding -> note(run, finding));
      }
      stopped |= enough.test(run);
      double sofar = (System.nanoTime() - begun) / 1e9;
      observer.progress(
          new Progress(
              runs,
              classes.size(),
              runs / sofar,
              settings.budget().minusNanos(System.nanoTime() - begun)));
    }

    private void note(Run run, Finding finding) {
      switch (finding.verdict()) {
        case VIOLATED ->
            broken.computeIfAbsent(
                finding.rule(),
                r -> new Found(run, finding, runs, (System.nanoTime() - begun) / 1e9));
        case PASS, AS_EXPECTED -> held.putIfAbsent(finding.rule(), finding);
        case INCONCLUSIVE -> unreached.putIfAbsent(finding.rule(), finding);
      }
    }

    Exploration result() throws Exception {
      List<Exploration.Result> results = new ArrayList<>();
      Shrinker shrinker = new Shrinker(Explorer.this, settings);
      for (Rule rule : Rule.values()) {
        Found found = broken.get(rule);
        if (found != null) {
          results.add(shrunk(rule, found, shrinker));
        } else if (held.containsKey(rule)) {
          results.add(new Exploration.Result(rule, Verdict.PASS, held.get(rule).detail(), null));
        } else if (unreached.containsKey(rule)) {
          results.add(
              new Exploration.Result(
                  rule, Verdict.INCONCLUSIVE, unreached.get(rule).detail(), null));
        }
      }
      results.sort(Comparator.comparing(r -> r.rule()));
      return new Exploration(
          stage.subject().name(),
          scenario,
          runs,
          classes.size(),
          settings.mode() == SearchSettings.Mode.EXHAUSTIVE && limits.isEmpty(),
          limits.stream().sorted().toList(),
          seconds,
          commands,
          goals.met(),
          results);
    }

    private Exploration.Result shrunk(Rule rule, Found found, Shrinker shrinker) throws Exception {
      Run shrunk = shrinker.shrink(found.run(), rule, SHRINK_BUDGET);
      Finding finding = shrunk == null ? null : violation(shrunk, rule);
      if (shrunk == null || finding == null) {
        limits.add(
            rule.id() + " was broken at run " + found.atRun() + " and not when that was run again");
        return new Exploration.Result(
            rule, Verdict.INCONCLUSIVE, "seen once, not again: " + found.finding().detail(), null);
      }
      return broken(rule, found, shrunk, finding);
    }

    private Exploration.Result broken(Rule rule, Found found, Run shrunk, Finding finding) {
      long step = finding.moment() == Finding.NO_MOMENT ? 0 : finding.moment();
      return new Exploration.Result(
          rule,
          Verdict.VIOLATED,
          finding.detail(),
          new Exploration.Witness(
              Token.of(stage.subject().name(), shrunk),
              found.atRun(),
              found.afterSeconds(),
              new Exploration.Picture(shrunk, step),
              step));
    }
  }
}
