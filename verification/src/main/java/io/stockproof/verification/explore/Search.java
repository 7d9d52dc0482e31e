package io.stockproof.verification.explore;

import io.stockproof.verification.Scenario;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One search under way. Trials do not depend on each other: they are made side by side, as far as
 * there are stages; the orders of one trial are tried one after the other, as each says which are
 * still missing.
 */
final class Search {

  private static final long MOST_SECONDS_OF_A_RUN = 60;

  private final Explorer explorer;
  private final Scenario scenario;
  private final SearchSettings settings;
  private final SearchLog log;
  private final List<CommandFault> faults;
  private final Set<Recovery> recoveries;

  Search(Explorer explorer, Scenario scenario, SearchSettings settings, SearchLog log) {
    this.explorer = explorer;
    this.scenario = scenario;
    this.settings = settings;
    this.log = log;
    this.faults = settings.choices().faults().stream().sorted().toList();
    Set<Recovery> offered = Recovery.offeredBy(explorer.subject().capabilities());
    this.recoveries =
        settings.choices().recoveries().stream()
            .filter(offered::contains)
            .collect(Collectors.toUnmodifiableSet());
  }

  void go() throws Exception {
    if (settings.mode() == SearchSettings.Mode.EXHAUSTIVE) {
      new Trials(new Trial(scenario, FaultPlan.CALM)).tryAll();
    } else {
      onEveryStage(this::byChance);
      log.limit("orders were drawn by chance, seed " + settings.seed());
    }
    log.end();
  }

  /** Tries every order under each of these plans. */
  void over(List<FaultPlan> plans) throws Exception {
    for (FaultPlan plan : plans) {
      if (!log.stopped()) {
        everyOrder(explorer.stage(0), new Trial(scenario, plan));
      }
    }
  }

  private interface Work {
    void on(Stage stage, int index) throws Exception;
  }

  private void onEveryStage(Work work) throws Exception {
    if (explorer.stages() == 1) {
      work.on(explorer.stage(0), 0);
      return;
    }
    List<Callable<Boolean>> parts = new ArrayList<>();
    for (int i = 0; i < explorer.stages(); i++) {
      Stage stage = explorer.stage(i);
      int index = i;
      parts.add(
          () -> {
            try {
              work.on(stage, index);
            } catch (Exception | Error failed) {
              log.stop();
              throw failed;
            }
            return true;
          });
    }
    runAll(parts);
  }

  private void runAll(List<Callable<Boolean>> parts) throws Exception {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            parts.size(),
            task -> {
              Thread thread = new Thread(task, "stockproof-search");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<Boolean>> ends = new ArrayList<>();
      parts.forEach(part -> ends.add(threads.submit(part)));
      for (Future<Boolean> end : ends) {
        end.get();
      }
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    } finally {
      threads.shutdown();
      if (!threads.awaitTermination(MOST_SECONDS_OF_A_RUN, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    }
  }

  /**
   * What is still to be tried: calm first, then each recovery, and each fault at each place that
   * was seen, then each pair.
   */
  private final class Trials {
    private final Deque<Trial> waiting = new ArrayDeque<>();
    private final Set<Trial> known = new HashSet<>();
    private int underWay;

    Trials(Trial first) {
      add(Set.of(first));
    }

    void tryAll() throws Exception {
      // Instances of further stages are worth their start only if there are plans for them.
      Trial first = waiting.remove();
      add(everyOrder(explorer.stage(0), first));
      if (!waiting.isEmpty()) {
        onEveryStage((stage, index) -> work(stage));
      }
    }

    private void work(Stage stage) throws Exception {
      for (Trial trial = next(); trial != null; trial = next()) {
        Set<Trial> found = Set.of();
        try {
          found = everyOrder(stage, trial);
        } finally {
          done(found);
        }
      }
    }

    private synchronized @Nullable Trial next() throws InterruptedException {
      while (waiting.isEmpty() && underWay > 0 && !log.stopped()) {
        wait();
      }
      if (log.stopped() || waiting.isEmpty()) {
        notifyAll();
        return null;
      }
      underWay++;
      return waiting.remove();
    }

    private synchronized void done(Set<Trial> found) {
      underWay--;
      add(found);
      notifyAll();
    }

    private synchronized void add(Set<Trial> found) {
      found.stream().filter(known::add).forEach(waiting::add);
    }
  }

  /** Tries every order of one trial; tells which trials with one choice more could be met. */
  private Set<Trial> everyOrder(Stage stage, Trial trial) throws Exception {
    Reduction reduction = new Reduction(settings.reduced());
    Memory memory = new Memory();
    Set<Trial> next = new LinkedHashSet<>();
    while (!log.stopped() && reduction.hasNext()) {
      if (log.outOfTime()) {
        log.limit("the budget of " + settings.budget().toSeconds() + " s ran out");
        log.stop();
        return next;
      }
      Run run =
          stage.run(trial.scenario(), trial.plan(), reduction, settings.reduced() ? memory : null);
      reduction.finished(run.trace());
      if (reduction.gaveUp()) {
        log.limit(
            "the same beginning did not give the same commands: the subject is not deterministic");
      }
      log.note(run);
      next.addAll(further(run, trial));
    }
    return next;
  }

  private Set<Trial> further(Run run, Trial trial) {
    Set<Trial> trials = new LinkedHashSet<>();
    if (trial.size() >= settings.maxFaults()) {
      return trials;
    }
    trials.addAll(trial.withOneRecoveryMore(recoveries));
    for (Step step : run.steps()) {
      Words words = step.words();
      if (words == null || step.actor() >= trial.scenario().requests().size()) {
        continue;
      }
      for (CommandFault fault : faults) {
        if (fault.appliesTo(words, explorer.environment().database().product())) {
          Trial more = trial.and(new FaultPlan.Strike(step.actor(), step.ordinal(), fault));
          if (more != null) {
            trials.add(more);
          }
        }
      }
    }
    return trials;
  }

  private void byChance(Stage stage, int index) throws Exception {
    Random random = new Random(settings.seed() + index);
    List<Trial> trials = new ArrayList<>(List.of(new Trial(scenario, FaultPlan.CALM)));
    Set<Trial> known = new HashSet<>(trials);
    Map<Trial, Memory> memories = new HashMap<>();
    int length = 8;
    for (int n = 0; !log.stopped() && !log.outOfTime(); n++) {
      Trial trial = trials.get(random.nextInt(trials.size()));
      Chooser chooser =
          settings.mode() == SearchSettings.Mode.RANDOM
              ? Choosers.random(random.nextLong())
              : Choosers.pct(random.nextLong(), 1 + n % 4, length);
      Memory memory = memories.computeIfAbsent(trial, t -> new Memory());
      Run run = stage.run(trial.scenario(), trial.plan(), chooser, memory);
      length = Math.max(length, run.steps().size());
      log.note(run);
      further(run, trial).stream().filter(known::add).forEach(trials::add);
    }
  }
}
