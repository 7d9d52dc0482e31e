package io.stockproof.verification.stress;

import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.PooledEndpoints;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Sells the coupons of a plan once: all requests at once on real instances, then rest, then probes.
 * Bounded by the deadlines of its settings: what hangs is found, not waited for. Used once, by one
 * thread.
 */
public final class StressRun {
  private static final int MOST_RETRIES = 3;
  private static final int MOST_FRESH = 400;

  private final Environment environment;
  private final Subject subject;
  private final List<Scenario> scenarios;
  private final StressSettings settings;
  private final AtomicLong clock = new AtomicLong();
  private final long deadlineNanos;
  private final List<Subject.Instance> instances = new ArrayList<>();
  private final List<PooledEndpoints> endpoints = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();
  private final Map<Long, StoreState> atRest = new HashMap<>();
  private final Map<Long, StoreState> afterProbes = new HashMap<>();

  private StressRun(
      Environment environment, Subject subject, List<Scenario> scenarios, StressSettings settings) {
    this.environment = environment;
    this.subject = subject;
    this.scenarios = scenarios;
    this.settings = settings;
    this.deadlineNanos = System.nanoTime() + settings.runDeadline().toNanos();
  }

  /**
   * Runs once.
   *
   * @param scenarios one a coupon, all with the same number of instances
   * @return one history a scenario; each holds the calls for all coupons
   * @throws Exception if a store does not answer the verifier or an instance does not start: the
   *     run says nothing then
   */
  public static List<History> run(
      Environment environment, Subject subject, List<Scenario> scenarios, StressSettings settings)
      throws Exception {
    StressRun run = new StressRun(environment, subject, scenarios, settings);
    try {
      return run.run();
    } finally {
      run.close();
    }
  }

  private List<History> run() throws Exception {
    for (Scenario scenario : scenarios) {
      subject.reset(environment, scenario);
    }
    for (int i = 0; i < scenarios.get(0).instances(); i++) {
      PooledEndpoints ofInstance = environment.endpoints(settings.poolSize());
      endpoints.add(ofInstance);
      instances.add(subject.start(ofInstance));
    }
    Callers callers = new Callers(environment, subject, instances, settings.callDeadline(), clock);
    Map<Long, List<Books>> books = sell(callers);
    return scenarios.stream().map(scenario -> history(scenario, books)).toList();
  }

  private static final BooksSampler.Pace SAMPLES =
      new BooksSampler.Pace(Duration.ofMillis(10), 500);

  private Map<Long, List<Books>> sell(Callers callers) throws Exception {
    List<BooksSampler> samplers = new ArrayList<>();
    for (Scenario scenario : scenarios) {
      samplers.add(new BooksSampler(environment, subject, scenario.couponId(), clock, SAMPLES));
    }
    boolean complete;
    try {
      samplers.forEach(BooksSampler::start);
      Callers.Made made = callers.make(sale(), settings.threads(), timeLeft());
      calls.addAll(made.calls());
      complete = made.complete();
    } finally {
      for (BooksSampler sampler : samplers) {
        sampler.close();
      }
    }
    Map<Long, List<Books>> books = new HashMap<>();
    for (int i = 0; i < scenarios.size(); i++) {
      books.put(scenarios.get(i).couponId(), samplers.get(i).books());
    }
    if (complete && resolve()) {
      observeInto(atRest);
      probe(callers);
    }
    return books;
  }

  private List<PlannedCall> sale() {
    List<PlannedCall> sale = new ArrayList<>();
    for (Scenario scenario : scenarios) {
      for (Request request : scenario.requests()) {
        sale.add(
            new PlannedCall(
                Call.Phase.SALE, scenario.couponId(), request.userId(), request.instance()));
      }
    }
    Collections.shuffle(sale, new Random(settings.seed()));
    return sale;
  }

  private void probe(Callers callers) throws Exception {
    List<Call> sale = List.copyOf(calls);
    List<PlannedCall> fresh = new ArrayList<>();
    boolean complete = true;
    for (Scenario scenario : scenarios) {
      long coupon = scenario.couponId();
      StoreState state = stateAtRest(coupon);
      List<Call> ofCoupon = sale.stream().filter(call -> call.couponId() == coupon).toList();
      complete &= ask(callers, Probes.asksAgain(scenario, ofCoupon, state));
      fresh.addAll(Probes.fresh(scenario, state, MOST_FRESH));
    }
    complete &= ask(callers, fresh);
    if (complete && resolve()) {
      observeInto(afterProbes);
    }
  }

  private StoreState stateAtRest(long couponId) {
    StoreState state = atRest.get(couponId);
    if (state == null) {
      throw new IllegalStateException("coupon " + couponId + " was not seen at rest");
    }
    return state;
  }

  /** One call after the other, at rest before each retry. */
  private boolean ask(Callers callers, List<PlannedCall> planned) throws Exception {
    List<PlannedCall> next = planned;
    for (int i = 0; i < MOST_RETRIES && !next.isEmpty(); i++) {
      Callers.Made made = callers.make(next, 1, timeLeft());
      calls.addAll(made.calls());
      if (!made.complete() || !resolve()) {
        return false;
      }
      next = Probes.retries(made.calls());
    }
    return true;
  }

  private void observeInto(Map<Long, StoreState> states) throws Exception {
    for (Scenario scenario : scenarios) {
      states.put(scenario.couponId(), subject.observe(environment, scenario.couponId()));
    }
  }

  /** False if background work did not end in time. */
  private boolean resolve() throws InterruptedException {
    for (Subject.Instance instance : instances) {
      if (!Bounded.within(
          timeLeft(),
          "resolve",
          () -> {
            instance.resolve();
            for (Scenario scenario : scenarios) {
              // What looks wrong at a first look is acted upon when it is seen again.
              instance.reconcile(scenario.couponId());
              instance.reconcile(scenario.couponId());
            }
            return true;
          })) {
        return false;
      }
    }
    return true;
  }

  private Duration timeLeft() {
    return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
  }

  private History history(Scenario scenario, Map<Long, List<Books>> books) {
    long coupon = scenario.couponId();
    @Nullable StoreState rest = atRest.get(coupon);
    return new History(
        scenario,
        false,
        calls,
        books.getOrDefault(coupon, List.of()),
        rest,
        afterProbes.get(coupon));
  }

  private void close() throws InterruptedException {
    Bounded.close(instances, settings.callDeadline());
    endpoints.forEach(PooledEndpoints::close);
  }
}
