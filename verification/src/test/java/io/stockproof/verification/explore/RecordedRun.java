package io.stockproof.verification.explore;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commands of an explored run, for tests outside of this package.
 *
 * @param scenario what was asked
 * @param commands in the order in which they took effect
 */
public record RecordedRun(Scenario scenario, List<Sent> commands) {

  /** Copies the list. */
  public RecordedRun {
    commands = List.copyOf(commands);
  }

  /**
   * One command.
   *
   * @param actor index of the request; beyond the requests for one delivered late
   * @param redis whether it went to Redis
   * @param name upper case, for example {@code EVALSHA}
   * @param statement of SQL; of Redis with all arguments
   * @param fault what was done to it; null if nothing
   * @param affected rows, -1 where nothing was answered
   * @param reply first row or elements; empty where nothing was answered
   * @param error whether the server itself answered with an error
   * @param books after it; null if they were not looked at
   */
  public record Sent(
      int actor,
      boolean redis,
      String name,
      String statement,
      @Nullable CommandFault fault,
      long affected,
      List<String> reply,
      boolean error,
      @Nullable StoreState books) {

    /** Copies the list. */
    public Sent {
      reply = List.copyOf(reply);
    }
  }

  /**
   * Makes one run.
   *
   * @param choices who goes next, as {@link Drawn} has it
   * @throws IllegalStateException if the run stalled
   */
  public static RecordedRun play(
      Explorer explorer, Scenario scenario, List<Token.Fault> faults, List<Integer> choices)
      throws Exception {
    Drawn drawn = new Drawn(scenario, faults, choices);
    Run run = explorer.stage(0).run(scenario, drawn.plan(), drawn.chooser(), null);
    if (run.stall() != null) {
      throw new IllegalStateException(run.stall());
    }
    List<Step> steps = new ArrayList<>(run.steps());
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      places.add(i);
    }
    // What waited for a lock took effect when it got it.
    places.sort(
        Comparator.comparingInt((Integer i) -> Math.max(i + 1, steps.get(i).settledAfter()))
            .thenComparing(Comparator.reverseOrder()));
    List<Sent> sent = new ArrayList<>();
    for (int place : places) {
      Step step = steps.get(place);
      Words words = step.words();
      if (words != null) {
        // Books belong to the moment at which they were read, and that command may have waited.
        boolean waited = step.settledAfter() > place + 1;
        sent.add(
            new Sent(
                step.actor(),
                words.redis(),
                words.name(),
                words.statement(),
                step.fault(),
                step.reply() == null ? -1 : step.reply().affectedRows(),
                texts(step),
                step.reply() != null && step.reply().error(),
                waited ? null : step.books()));
      }
    }
    return new RecordedRun(scenario, sent);
  }

  private static List<String> texts(Step step) {
    List<String> texts = new ArrayList<>();
    if (step.reply() != null) {
      step.reply().values().forEach(value -> texts.add(String.valueOf(value)));
    }
    return texts;
  }
}
