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
import org.jspecify.annotations.Nullable;

/**
 * One search under way. Plans of faults do not depend on each other: they are tried side by side,
 * as far as there are stages; the orders under one plan are tried one after the other, as each says
 * which are still missing.
 */
final class Search {

  private static final long MOST_SECONDS_OF_A_RUN = 60;

  private final Explorer explorer;
  private final Scenario scenario;
  private final SearchSettings settings;
  private final SearchLog log;

  Search(Explorer explorer, Scenario scenario, SearchSettings settings, SearchLog log) {
    this.explorer = explorer;
    this.scenario = scenario;
    this.settings = settings;
    this.log = log;
  }

  void go() throws Exception {
    if (settings.mode() == SearchSettings.Mode.EXHAUSTIVE) {
      new Plans(List.of(FaultPlan.CALM)).tryAll();
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
        everyOrder(explorer.stage(0), plan);
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
   * Plans still to be tried: calm first, then each fault at each place that was seen, then each
   * pair.
   */
  private final class Plans {
    private final Deque<FaultPlan> waiting;
    private final Set<FaultPlan> known;
    private int underWay;

    Plans(List<FaultPlan> first) {
      waiting = new ArrayDeque<>(first);
      known = new HashSet<>(first);
    }

    void tryAll() throws Exception {
      // Instances of further stages are worth their start only if there are plans for them.
      FaultPlan first = waiting.remove();
      add(everyOrder(explorer.stage(0), first));
      if (!waiting.isEmpty()) {
        onEveryStage((stage, index) -> work(stage));
      }
    }

    private void work(Stage stage) throws Exception {
      for (FaultPlan plan = next(); plan != null; plan = next()) {
        Set<FaultPlan> found = Set.of();
        try {
          found = everyOrder(stage, plan);
        } finally {
          done(found);
        }
      }
    }

    private synchronized @Nullable FaultPlan next() throws InterruptedException {
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

    private synchronized void done(Set<FaultPlan> found) {
      underWay--;
      add(found);
      notifyAll();
    }

    private synchronized void add(Set<FaultPlan> found) {
      found.stream().filter(known::add).forEach(waiting::add);
    }
  }

  /** Tries every order under one plan; tells which plans with one fault more could be met. */
  private Set<FaultPlan> everyOrder(Stage stage, FaultPlan plan) throws Exception {
    Reduction reduction = new Reduction(settings.reduced());
    Memory memory = new Memory();
    Set<FaultPlan> next = new LinkedHashSet<>();
    while (!log.stopped() && reduction.hasNext()) {
      if (log.outOfTime()) {
        log.limit("the budget of " + settings.budget().toSeconds() + " s ran out");
        log.stop();
        return next;
      }
      Run run = stage.run(scenario, plan, reduction, settings.reduced() ? memory : null);
      reduction.finished(run.trace());
      if (reduction.gaveUp()) {
        log.limit(
            "the same beginning did not give the same commands: the subject is not deterministic");
      }
      log.note(run);
      next.addAll(strikes(run, plan));
    }
    return next;
  }

  private Set<FaultPlan> strikes(Run run, FaultPlan plan) {
    Set<FaultPlan> plans = new LinkedHashSet<>();
    if (plan.size() >= settings.maxFaults()) {
      return plans;
    }
    for (Step step : run.steps()) {
      Words words = step.words();
      if (words == null || step.actor() >= scenario.requests().size()) {
        continue;
      }
      for (CommandFault fault : settings.faults().stream().sorted().toList()) {
        if (fault.appliesTo(words, explorer.environment().database().product())) {
          FaultPlan more = plan.and(new FaultPlan.Strike(step.actor(), step.ordinal(), fault));
          if (more != null) {
            plans.add(more);
          }
        }
      }
    }
    return plans;
  }

  private void byChance(Stage stage, int index) throws Exception {
    Random random = new Random(settings.seed() + index);
    List<FaultPlan> plans = new ArrayList<>(List.of(FaultPlan.CALM));
    Set<FaultPlan> known = new HashSet<>(plans);
    Map<FaultPlan, Memory> memories = new HashMap<>();
    int length = 8;
    for (int n = 0; !log.stopped() && !log.outOfTime(); n++) {
      FaultPlan plan = plans.get(random.nextInt(plans.size()));
      Chooser chooser =
          settings.mode() == SearchSettings.Mode.RANDOM
              ? Choosers.random(random.nextLong())
              : Choosers.pct(random.nextLong(), 1 + n % 4, length);
      Memory memory = memories.computeIfAbsent(plan, p -> new Memory());
      Run run = stage.run(scenario, plan, chooser, memory);
      length = Math.max(length, run.steps().size());
      log.note(run);
      strikes(run, plan).stream().filter(known::add).forEach(plans::add);
    }
  }
}
