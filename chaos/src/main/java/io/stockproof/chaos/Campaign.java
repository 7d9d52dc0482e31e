package io.stockproof.chaos;

import io.stockproof.verification.Capability;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import io.stockproof.verification.history.Wire;
import io.stockproof.verification.stress.BooksSampler;
import io.stockproof.verification.stress.Bounded;
import io.stockproof.verification.stress.Callers;
import io.stockproof.verification.stress.PlannedCall;
import io.stockproof.verification.stress.Probes;
import io.stockproof.verification.stress.TimedCall;
import io.stockproof.verification.wire.ProxiedEndpoints;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Load, faults and rules together: an open-loop load on real instances while faults come and go,
 * then rest, then probes. The books are sampled throughout. Used once, by one thread.
 */
public final class Campaign {
  private static final AtomicLong NEXT_COUPON = new AtomicLong(7_000_001);
  private static final BooksSampler.Pace SAMPLES =
      new BooksSampler.Pace(Duration.ofMillis(300), 20_000);
  private static final int WARM_CALLS = 30;
  private static final int MOST_RETRIES = 3;
  private static final int MOST_FRESH = 20_000;

  /** Callers of the load: as many as can be waiting when nothing is answered for this long. */
  private static final int MOST_WAIT_SECONDS = 5;

  private static final int MOST_CALLERS = 2_000;

  private final Environment environment;
  private final Subject subject;
  private final FaultPlan plan;
  private final CampaignSettings settings;
  private final Consumer<String> progress;
  private final AtomicLong clock = new AtomicLong();
  private final Meddler meddler = new Meddler();
  private final List<ProxiedEndpoints> wires = new ArrayList<>();
  private final List<Subject.Instance> instances = new ArrayList<>();
  private final List<JvmInstance> jvms = new ArrayList<>();
  private final List<TimedCall> calls = new ArrayList<>();

  private Campaign(
      Environment environment,
      Subject subject,
      FaultPlan plan,
      CampaignSettings settings,
      Consumer<String> progress) {
    this.environment = environment;
    this.subject = subject;
    this.plan = plan;
    this.settings = settings;
    this.progress = progress;
  }

  /**
   * Runs once.
   *
   * @param environment with durable commits: what was acknowledged must outlive its server
   * @param subject as it runs in a service: background work is not asked for, unless it claims that
   *     it is to be ({@link Capability#RESOLVE_ON_DEMAND})
   * @param progress told a word or two when something begins; from several threads
   * @return what was found
   * @throws IllegalArgumentException if a fault of the plan cannot be done there, as {@link
   *     Faults#impossible} says
   * @throws Exception if a store cannot be used or an instance does not start: nothing is said of
   *     the subject then
   */
  public static CampaignResult run(
      Environment environment,
      Subject subject,
      FaultPlan plan,
      CampaignSettings settings,
      Consumer<String> progress)
      throws Exception {
    for (FaultPlan.Strike strike : plan.strikes()) {
      Faults.impossible(strike.fault(), environment, subject, settings)
          .ifPresent(
              why -> {
                throw new IllegalArgumentException(strike.fault().title() + " " + why);
              });
    }
    Campaign campaign = new Campaign(environment, subject, plan, settings, progress);
    try {
      return campaign.run();
    } finally {
      campaign.close();
    }
  }

  private CampaignResult run() throws Exception {
    OpenLoad.Planned planned = OpenLoad.plan(NEXT_COUPON.getAndIncrement(), plan, settings);
    Scenario scenario = planned.scenario();
    long coupon = scenario.couponId();
    warmUp();
    subject.reset(environment, scenario);
    Callers callers = new Callers(environment, subject, instances, settings.callDeadline(), clock);
    Rest rest = new Rest(environment, subject, instances, coupon, settings.restWithin());
    try (Target target =
            new Target(environment, coupon, subject.leases(), wires, jvms, meddler, plan.seed());
        BooksSampler sampler = new BooksSampler(environment, subject, coupon, clock, SAMPLES)) {
      sampler.start();
      Striking striking = new Striking(plan, target, progress);
      boolean allEnded = sell(callers, planned.calls(), striking);
      progress.accept("rest");
      Rest.Reached reached = rest.await(scenario.total());
      Rest.Reached atRest = allEnded ? reached : reached.unknown();
      List<TimedCall> load = List.copyOf(calls);
      StoreState afterProbes = probe(callers, rest, scenario, atRest.state());
      sampler.close();
      History history =
          new History(
              scenario,
              true,
              calls.stream().map(TimedCall::call).toList(),
              sampler.books(),
              atRest.state(),
              afterProbes,
              new Wire(List.of(), losses(target), List.of()),
              List.of());
      return new Findings(subject, plan, settings, striking, sampler.samples(), atRest)
          .judge(history, load);
    }
  }

  /** Starts the instances, and lets each sell some of another coupon: first calls are slow. */
  private void warmUp() throws Exception {
    int calls = settings.instances() * WARM_CALLS;
    Scenario scratch =
        Scenario.users(NEXT_COUPON.getAndIncrement(), calls, calls, settings.instances());
    subject.reset(environment, scratch);
    startInstances();
    Callers callers =
        new Callers(environment, subject, instances, settings.callDeadline(), new AtomicLong());
    List<PlannedCall> warming =
        scratch.requests().stream()
            .map(
                r -> new PlannedCall(Call.Phase.SALE, scratch.couponId(), r.userId(), r.instance()))
            .toList();
    callers.make(warming, settings.instances(), settings.callDeadline().multipliedBy(3));
  }

  private void startInstances() throws Exception {
    for (int i = 0; i < settings.instances(); i++) {
      String name = "i" + i;
      ProxiedEndpoints wire = new ProxiedEndpoints(environment, name, settings.poolSize(), meddler);
      wires.add(wire);
      if (settings.ownJvms()) {
        JvmInstance jvm = JvmInstance.start(subject.name(), name, wire, clock());
        jvms.add(jvm);
        instances.add(jvm);
      } else {
        instances.add(subject.start(wire));
      }
    }
    for (JvmInstance jvm : jvms) {
      jvm.awaitReady();
    }
  }

  /** Costs something with each look at the time, so only where it will be off. */
  private @Nullable FakeClock clock() throws IOException {
    boolean off = plan.strikes().stream().anyMatch(s -> s.fault() == InstanceFault.CLOCK_SKEW);
    return off ? FakeClock.right() : null;
  }

  /** False if calls were dropped in the middle: whose rows come of them later is not known. */
  private boolean sell(Callers callers, List<PlannedCall> planned, Striking striking)
      throws InterruptedException {
    int threads =
        Math.min(MOST_CALLERS, Math.max(16, MOST_WAIT_SECONDS * settings.ratePerSecond()));
    Thread faults = new Thread(striking, "stockproof-chaos-faults");
    faults.setDaemon(true);
    faults.start();
    try {
      Duration most = settings.duration().plus(settings.callDeadline().multipliedBy(2));
      Callers.Made made = callers.make(planned, threads, most);
      calls.addAll(made.timed());
      return !made.leftOpen();
    } finally {
      // A window that is still open is closed on its way out.
      faults.join(settings.restWithin().plus(settings.callDeadline()).toMillis());
      faults.interrupt();
      faults.join(settings.restWithin().toMillis());
    }
  }

  /** One entry for all that was lost: which command it struck is not known. */
  private List<Wire.Loss> losses(Target target) {
    boolean loses = plan.strikes().stream().anyMatch(strike -> strike.fault().losesRedisData());
    return loses && !target.lostKeys().isEmpty()
        ? List.of(new Wire.Loss(0, target.lostKeys(), Set.of()))
        : List.of();
  }

  private @Nullable StoreState probe(
      Callers callers, Rest rest, Scenario scenario, @Nullable StoreState atRest) throws Exception {
    if (atRest == null) {
      return null;
    }
    progress.accept("probes");
    List<Call> sale = calls.stream().map(TimedCall::call).toList();
    boolean allEnded =
        ask(callers, rest, scenario, Probes.asksAgain(scenario, sale, atRest))
            && ask(callers, rest, scenario, Probes.fresh(scenario, atRest, MOST_FRESH));
    StoreState after = rest.await(scenario.total()).state();
    return allEnded ? after : null;
  }

  /** One call after the other, at rest before each retry; false if any was dropped. */
  private boolean ask(Callers callers, Rest rest, Scenario scenario, List<PlannedCall> planned)
      throws Exception {
    List<PlannedCall> next = planned;
    for (int i = 0; i < MOST_RETRIES && !next.isEmpty(); i++) {
      Duration most = settings.callDeadline().multipliedBy(6);
      Callers.Made made = callers.make(next, 1, most);
      calls.addAll(made.timed());
      rest.await(scenario.total());
      if (made.leftOpen()) {
        return false;
      }
      next = Probes.retries(made.calls());
    }
    return true;
  }

  private void close() throws InterruptedException {
    meddler.stop();
    Bounded.close(instances, settings.callDeadline());
    wires.forEach(ProxiedEndpoints::close);
  }
}
