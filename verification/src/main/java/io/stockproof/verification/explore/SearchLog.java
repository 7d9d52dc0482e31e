package io.stockproof.verification.explore;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the runs of a search have said so far. Safe for use by the stages of one search. */
final class SearchLog {

  private static final Duration SHRINK_BUDGET = Duration.ofSeconds(6);

  private static final long MOST_UNSEEN_RUNS = 10;

  private final Explorer explorer;
  private final Scenario scenario;
  private final SearchSettings settings;
  private final Explorer.Observer observer;
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
  private long faultedRuns;
  private boolean conclusive = true;
  private volatile boolean stopped;
  private double seconds;

  /**
   * Starts with nothing seen.
   *
   * @param enough whether a run ends the search
   */
  SearchLog(
      Explorer explorer,
      Scenario scenario,
      SearchSettings settings,
      Explorer.Observer observer,
      Predicate<Run> enough) {
    this.explorer = explorer;
    this.scenario = scenario;
    this.settings = settings;
    this.observer = observer;
    this.enough = enough;
  }

  /** The first run that broke a rule. */
  private record Found(Run run, Finding finding, long atRun, double afterSeconds) {}

  boolean stopped() {
    return stopped;
  }

  void stop() {
    stopped = true;
  }

  boolean outOfTime() {
    return System.nanoTime() - begun > settings.budget().toNanos();
  }

  /** What a reader must know of the search. */
  synchronized void limit(String what) {
    limits.add(what);
  }

  /** The search has ended; what comes later is not its time. */
  synchronized void end() {
    seconds = secondsSoFar();
  }

  private double secondsSoFar() {
    return (System.nanoTime() - begun) / 1e9;
  }

  synchronized void note(Run run) {
    runs++;
    commands += run.commands();
    faultedRuns += run.steps().stream().anyMatch(step -> step.fault() != null) ? 1 : 0;
    // A fault that never struck makes no other class than there is without it.
    classes.add(
        run.scenario().requests()
            + ""
            + run.struck()
            + new Reduction.Order(run.effects()).canonical());
    goals.count(run);
    if (run.doubt() != null) {
      limits.add(run.doubt());
    }
    if (run.history() == null) {
      limits.add("a run stalled: " + run.stall());
      conclusive = false;
    } else {
      List<Finding> findings = Rules.judge(run.history(), explorer.subject().capabilities());
      observer.judged(run.history(), findings);
      findings.forEach(finding -> note(run, finding));
    }
    if (commands == 0 && runs == MOST_UNSEEN_RUNS) {
      // Nothing is steered: another run would only be another throw of the dice.
      stopped = true;
    }
    if (enough.test(run)) {
      limits.add("ended with the first run that broke what was looked for");
      stopped = true;
    }
    Duration left = settings.budget().minusNanos(System.nanoTime() - begun);
    observer.progress(new Explorer.Progress(runs, classes.size(), runs / secondsSoFar(), left));
  }

  private void note(Run run, Finding finding) {
    switch (finding.verdict()) {
      case VIOLATED ->
          broken.computeIfAbsent(
              finding.rule(), r -> new Found(run, finding, runs, secondsSoFar()));
      case PASS, AS_EXPECTED -> held.putIfAbsent(finding.rule(), finding);
      case INCONCLUSIVE -> unreached.putIfAbsent(finding.rule(), finding);
    }
  }

  /**
   * What was found of these rules, with the first run that breaks each made small.
   *
   * @param before earlier searches: a rule that a smaller run broke there is left as it was found
   */
  synchronized Exploration result(Shrinker shrinker, Set<Rule> wanted, List<Exploration> before)
      throws Exception {
    if (commands == 0) {
      limits.add("no command was seen on the wire: does the instance use its endpoints?");
    }
    Rules.unreached(explorer.subject().capabilities())
        .forEach(finding -> unreached.putIfAbsent(finding.rule(), finding));
    List<Exploration.Result> results = new ArrayList<>();
    for (Rule rule : new TreeSet<>(wanted)) {
      Found found = broken.get(rule);
      Finding pass = held.get(rule);
      Finding open = unreached.get(rule);
      if (found != null && isSmaller(Exploration.shortest(before, rule), found.run())) {
        results.add(new Exploration.Result(rule, Verdict.VIOLATED, found.finding().detail(), null));
      } else if (found != null) {
        results.add(shrunk(rule, found, shrinker));
      } else if (pass != null) {
        results.add(new Exploration.Result(rule, Verdict.PASS, pass.detail(), null));
      } else if (open != null) {
        results.add(new Exploration.Result(rule, Verdict.INCONCLUSIVE, open.detail(), null));
      }
    }
    return new Exploration(
        explorer.subject().name(),
        scenario,
        runs,
        classes.size(),
        settings.mode() == SearchSettings.Mode.EXHAUSTIVE && limits.isEmpty(),
        conclusive,
        limits.stream().sorted().toList(),
        seconds,
        commands,
        faultedRuns,
        goals.met(),
        results);
  }

  private static boolean isSmaller(Exploration.@Nullable Witness known, Run found) {
    return known != null
        && Exploration.BY_SIZE.compare(known.run(), new Exploration.Picture(found, 0)) <= 0;
  }

  private Exploration.Result shrunk(Rule rule, Found found, Shrinker shrinker) throws Exception {
    // Without commands there is nothing that could be left out.
    Run shrunk = commands == 0 ? found.run() : shrinker.shrink(found.run(), rule, SHRINK_BUDGET);
    Finding finding = shrunk == null ? null : explorer.violation(shrunk, rule);
    if (shrunk == null || finding == null) {
      limits.add(
          rule.id() + " was broken at run " + found.atRun() + " and not when that was run again");
      conclusive = false;
      return new Exploration.Result(
          rule, Verdict.INCONCLUSIVE, "seen once, not again: " + found.finding().detail(), null);
    }
    long step = finding.moment() == Finding.NO_MOMENT ? 0 : finding.moment();
    return new Exploration.Result(
        rule,
        Verdict.VIOLATED,
        finding.detail(),
        new Exploration.Witness(
            Token.of(explorer.subject().name(), shrunk),
            found.atRun(),
            found.afterSeconds(),
            new Exploration.Picture(shrunk, step),
            step));
  }
}
