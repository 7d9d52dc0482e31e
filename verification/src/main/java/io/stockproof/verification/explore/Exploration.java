package io.stockproof.verification.explore;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.rules.Rule;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a search found.
 *
 * @param subject whose
 * @param scenario what was asked
 * @param interleavings runs that were made
 * @param classes how many of them were not equivalent to one another
 * @param exhaustive whether every order (and every plan of faults asked for) was tried up to
 *     equivalence
 * @param conclusive false if a run stalled, or broke a rule and did not when it was made again
 * @param limits why it was not exhaustive, or what a reader must know; one line each
 * @param seconds wall time of the search, without shrinking
 * @param commandsIntercepted commands that were decided about
 * @param faultedRuns runs in which a fault struck
 * @param goals how many runs met each interesting state
 * @param rules one result a rule, in order of ids
 */
public record Exploration(
    String subject,
    Scenario scenario,
    long interleavings,
    long classes,
    boolean exhaustive,
    boolean conclusive,
    List<String> limits,
    double seconds,
    long commandsIntercepted,
    long faultedRuns,
    Map<String, Long> goals,
    List<Result> rules) {

  /** Faults count most, then requests, then commands. */
  static final Comparator<Picture> BY_SIZE =
      Comparator.comparingInt(Picture::faults)
          .thenComparingInt(Picture::requests)
          .thenComparingInt(Picture::commands)
          .thenComparingInt(Picture::steps);

  /** Copies the lists. */
  public Exploration {
    limits = List.copyOf(limits);
    rules = List.copyOf(rules);
  }

  /** Runs a second. */
  public double interleavingsPerSecond() {
    return seconds > 0 ? interleavings / seconds : 0;
  }

  /**
   * INCONCLUSIVE if nothing was intercepted, whatever the rules say: then nothing was steered, and
   * the books were not looked at when they changed. Else the worst verdict of a rule: VIOLATED if
   * any run broke one.
   */
  public Verdict verdict() {
    if (commandsIntercepted == 0) {
      return Verdict.INCONCLUSIVE;
    }
    if (rules.stream().anyMatch(r -> r.verdict() == Verdict.VIOLATED)) {
      return Verdict.VIOLATED;
    }
    boolean passed = rules.stream().anyMatch(r -> r.verdict() == Verdict.PASS);
    return conclusive && passed ? Verdict.PASS : Verdict.INCONCLUSIVE;
  }

  /**
   * The smallest run that breaks the rule: faults first, then requests, then commands.
   *
   * @return null if no search has one
   */
  public static @Nullable Witness shortest(List<Exploration> searches, Rule rule) {
    return searches.stream()
        .filter(search -> search.commandsIntercepted() > 0)
        .flatMap(search -> search.rules().stream())
        .filter(result -> result.rule() == rule)
        .map(Result::witness)
        .filter(Objects::nonNull)
        .min(Comparator.comparing(Witness::run, BY_SIZE))
        .orElse(null);
  }

  /**
   * A rule over all runs.
   *
   * @param rule the rule
   * @param verdict VIOLATED if any run broke it, PASS if it was reached and held, else INCONCLUSIVE
   * @param detail what broke it, or what it was judged by
   * @param witness the shortest run that breaks it; null if none does, or if an earlier search of
   *     the same subject had a smaller one
   */
  public record Result(Rule rule, Verdict verdict, String detail, @Nullable Witness witness) {}

  /**
   * A run that breaks a rule, shrunk.
   *
   * @param token replays it
   * @param foundAtRun number of the first run that broke the rule, from 1
   * @param foundAfterSeconds time from the start of the search to that run
   * @param run the shrunk run
   * @param step number of the step after which the rule was broken, from 1; 0 if only seen at rest
   */
  public record Witness(
      Token token, long foundAtRun, double foundAfterSeconds, Picture run, long step) {}

  /** A run to look at. */
  public static final class Picture {
    private final Run run;
    private final long step;

    Picture(Run run, long step) {
      this.run = run;
      this.step = step;
    }

    /** Requests in it. */
    public int requests() {
      return run.scenario().requests().size();
    }

    /** Different users in it. */
    public int users() {
      return (int) run.scenario().requests().stream().map(r -> r.userId()).distinct().count();
    }

    /** Commands in it. */
    public int commands() {
      return run.commands();
    }

    /** Steps of it: its commands, and the starts of requests that share an instance. */
    public int steps() {
      return run.steps().size();
    }

    /** Faults in it. */
    public int faults() {
      return (int) run.steps().stream().filter(s -> s.fault() != null).count();
    }

    /** All there is to draw of it. */
    public Drawing drawing() {
      return Drawing.of(run, step);
    }

    /** Its lanes as text. */
    public String lanes(int width) {
      return Lanes.draw(drawing(), width);
    }
  }
}
