package io.stockproof.verification.explore;

import io.stockproof.verification.Capability;
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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Searches the orders of commands of concurrent requests, with faults between them, for runs that
 * break a rule. Holds the instances of one subject; one search at a time.
 */
public final class Explorer implements AutoCloseable {

  private static final int MOST_STAGES = 4;

  private final Environment environment;
  private final Stage stage;
  private final @Nullable Supplier<? extends Subject> more;
  private final List<Subject> made = new ArrayList<>();
  private final List<Stage> beside = new ArrayList<>();

  /**
   * Prepares the wires for one run at a time; instances start with the first run.
   *
   * @throws SQLException if the database does not answer
   */
  public Explorer(Environment environment, Subject subject) throws SQLException {
    this(environment, subject, null);
  }

  /**
   * As {@link #Explorer(Environment, Subject)}; where a search has several runs to make that do not
   * depend on each other, they are made side by side, on other coupons and by instances of their
   * own.
   *
   * @param more makes further subjects like the first; closed with this
   * @throws SQLException if the database does not answer
   */
  public Explorer(
      Environment environment, Subject subject, @Nullable Supplier<? extends Subject> more)
      throws SQLException {
    this.environment = environment;
    this.stage = new Stage(environment, subject);
    this.more = more;
  }

  Environment environment() {
    return environment;
  }

  Subject subject() {
    return stage.subject();
  }

  /** Where runs are made side by side: one stage a core, if there are subjects for them. */
  int stages() {
    return more == null ? 1 : Math.min(MOST_STAGES, Runtime.getRuntime().availableProcessors());
  }

  /** One of {@link #stages}, made when it is first asked for. */
  synchronized Stage stage(int index) throws SQLException {
    while (index > beside.size() && more != null) {
      Subject another = more.get();
      made.add(another);
      beside.add(new Stage(environment, another));
    }
    return index == 0 ? stage : beside.get(index - 1);
  }

  /**
   * Has the instances of a scenario ready, on every stage: starting them may take longer than a
   * search, and is not to be counted as its time.
   *
   * @throws Exception if the stores or the subject cannot be used at all
   */
  public void ready(Scenario scenario) throws Exception {
    for (int i = 0; i < stages(); i++) {
      stage(i).ready(scenario);
    }
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
    return explore(scenario, settings, observer, List.of());
  }

  /**
   * The same after other searches of the same subject: a rule that was broken there by a smaller
   * run is not shrunk again.
   *
   * @throws Exception if the stores or the subject cannot be used at all
   */
  public Exploration explore(
      Scenario scenario, SearchSettings settings, Observer observer, List<Exploration> before)
      throws Exception {
    stage.ready(scenario);
    SearchLog log = new SearchLog(this, scenario, settings, observer, run -> false);
    new Search(this, scenario, settings, log).go();
    return log.result(new Shrinker(this, settings), EnumSet.allOf(Rule.class), before);
  }

  /**
   * As {@link #explore(Scenario, SearchSettings, Observer)}, but ends with the first run that
   * breaks this rule, and says nothing of the others.
   *
   * @throws Exception if the stores or the subject cannot be used at all
   */
  public Exploration exploreUntil(
      Rule rule, Scenario scenario, SearchSettings settings, Observer observer) throws Exception {
    SearchLog log = new SearchLog(this, scenario, settings, observer, run -> breaks(run, rule));
    new Search(this, scenario, settings, log).go();
    return log.result(new Shrinker(this, settings), Set.of(rule), List.of());
  }

  /** Watches a search; called by one thread at a time. */
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
    SearchLog log =
        new SearchLog(
            this,
            scenario,
            settings,
            Observer.NONE,
            run -> {
              found[0] = breaks(run, rule) ? run : null;
              return found[0] != null;
            });
    new Search(this, scenario, settings, log).over(plans);
    return found[0];
  }

  /** Whether the run breaks the rule. */
  boolean breaks(Run run, Rule rule) {
    return violation(run, rule) != null;
  }

  @Nullable Finding violation(Run run, Rule rule) {
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
    Set<Capability> capabilities = stage.subject().capabilities();
    List<Finding> findings =
        run.history() == null
            ? Rules.unreached(capabilities)
            : Rules.judge(run.history(), capabilities);
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
  public void close() throws Exception {
    List<AutoCloseable> all = new ArrayList<>(List.of(stage));
    all.addAll(beside);
    all.addAll(made);
    Closing.all(all);
  }
}
