package io.stockproof.verification.explore;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Capability;
import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.history.BadInput;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import io.stockproof.verification.history.Wire;
import io.stockproof.verification.wire.LateCommand;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where runs take place: the servers, the subject's instances behind their wires, and what looks at
 * the stores. One run at a time; used by one thread.
 */
final class Stage implements AutoCloseable {

  private static final AtomicInteger NEXT_COUPON =
      new AtomicInteger(700_000_000 + (int) (System.nanoTime() & 0xfffff) * 64);
  private static final long DEADLINE_SECONDS = 15;
  private static final int FIRST_FRESH_USER = 900;
  private static final int MOST_ATTEMPTS = 3;

  private final Environment environment;
  private final Subject subject;
  private final Switchboard board = new Switchboard();
  private final ExecutorService workers;
  private final Instances instances;
  private final LockWaits lockWaits;
  private final RedisHand redisHand;
  private final boolean resolves;
  private @Nullable UniqueKeys keys;
  private @Nullable Memory memory;
  private boolean cut;

  Stage(Environment environment, Subject subject) throws SQLException {
    this.environment = environment;
    this.subject = subject;
    AtomicInteger number = new AtomicInteger();
    this.workers =
        new ThreadPoolExecutor(
            0,
            512,
            10,
            TimeUnit.SECONDS,
            new java.util.concurrent.SynchronousQueue<>(),
            task -> {
              Thread thread = new Thread(task, "stockproof-actor-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    this.instances = new Instances(environment, subject, board, workers);
    this.lockWaits = new LockWaits(environment);
    this.redisHand = new RedisHand(environment.redis().uri());
    this.resolves = subject.capabilities().contains(Capability.RESOLVE_ON_DEMAND);
  }

  Environment environment() {
    return environment;
  }

  Subject subject() {
    return subject;
  }

  Switchboard board() {
    return board;
  }

  LockWaits lockWaits() {
    return lockWaits;
  }

  UniqueKeys keys() {
    if (keys == null) {
      throw new IllegalStateException("no run yet");
    }
    return keys;
  }

  int instanceOf(String label) {
    return instances.slotOf(label);
  }

  /**
   * Has the instances of a scenario ready, starting those that are missing.
   *
   * @return whether any was started
   */
  boolean ready(Scenario template) throws Exception {
    if (keys == null) {
      // An instance may look at its schema when it starts.
      subject.reset(environment, template.withCoupon(NEXT_COUPON.incrementAndGet()));
      keys = UniqueKeys.read(environment.admin());
    }
    boolean started = instances.ready(template.instances());
    if (started) {
      SqlShape.warmUp();
      warmUp(template);
      instances.keepConnections();
    }
    return started;
  }

  /**
   * One run from the starting state to rest.
   *
   * @param knownStates what was read after equivalent beginnings with the same scenario and plan;
   *     null to read everything
   */
  Run run(Scenario template, FaultPlan plan, Chooser chooser, @Nullable Memory knownStates)
      throws Exception {
    Scenario scenario = template.withCoupon(NEXT_COUPON.incrementAndGet());
    memory = knownStates;
    if (!ready(template) && cut) {
      instances.awaitConnections();
    }
    subject.reset(environment, scenario);
    Session session = new Session(this, scenario, plan);
    board.steer();
    try {
      session.steer(chooser);
    } catch (Session.Stalled stalled) {
      abandon(scenario);
      return new Run(scenario, plan, session.steps(), null, stalled.getMessage(), session.doubt());
    } catch (SQLException | InterruptedException | RuntimeException failed) {
      abandon(scenario);
      throw failed;
    } finally {
      board.release();
    }
    cut = session.faulted();
    return new Run(
        scenario, plan, session.steps(), history(scenario, session), null, session.doubt());
  }

  /**
   * One call an instance outside the search: what is loaded or prepared once must not make the
   * first run differ.
   */
  private void warmUp(Scenario template) throws Exception {
    Scenario warm =
        Scenario.users(
            NEXT_COUPON.incrementAndGet(),
            template.instances(),
            template.instances(),
            template.instances());
    subject.reset(environment, warm);
    for (int slot = 0; slot < warm.instances(); slot++) {
      Subject.Instance instance = instances.get(slot);
      String user = warm.requests().get(slot).userId();
      try {
        within(() -> instance.issue(warm.couponId(), user));
      } catch (TimeoutException | ExecutionException leftToTheRules) {
        return;
      }
    }
    for (Request request : template.requests()) {
      // While reservations are open: so all that it may send has been sent once.
      if (request.recovers() && !recovers(request, warm.couponId())) {
        return;
      }
    }
    comeToRest(warm);
  }

  private boolean recovers(Request request, long couponId) throws InterruptedException {
    Subject.Instance instance = instances.get(request.instance());
    return done(
        () -> {
          if (request.deed() == Request.Deed.REBUILDS) {
            instance.rebuild(couponId);
          } else {
            instance.reconcile(couponId);
          }
          return true;
        });
  }

  private void abandon(Scenario scenario) {
    for (int slot = 0; slot < scenario.instances(); slot++) {
      instances.kill(slot);
    }
  }

  /** Starts the actor's request on a thread of its own. */
  void start(Actor actor, Scenario scenario) {
    Subject.Instance instance = instances.get(actor.instance);
    workers.execute(() -> actor.call(instance, scenario, resolves, board));
  }

  void crash(int slot) {
    instances.kill(slot);
  }

  /** Sends what was late; the board is told when it was executed, or that it cannot arrive. */
  void deliver(LateCommand command, Actor actor) {
    var unused =
        command
            .deliver()
            .whenComplete(
                (reply, failure) -> {
                  if (failure != null) {
                    board.tell(new Switchboard.Event.Undelivered(actor));
                  }
                });
  }

  void expire(List<String> redisKeys) {
    redisHand.delete(redisKeys);
  }

  /**
   * Everything that Redis keeps of a coupon is gone; what other runs keep there is not.
   *
   * @return the keys that were there
   */
  Set<String> loseAll(String coupon) {
    return redisHand.deleteNaming(coupon);
  }

  /** Takes note of what Redis held before each command, if the plan needs it. */
  RedisPast past(FaultPlan plan) {
    boolean needed = plan.strikes().stream().anyMatch(strike -> strike.fault().turnsBack());
    return new RedisPast(needed ? redisHand : null);
  }

  /** The stores now, or as they were after an equivalent beginning. */
  StoreState look(Scenario scenario, List<Chooser.Done> trace) throws SQLException {
    Memory known = memory;
    if (known == null) {
      return observe(scenario);
    }
    String beginning = new Reduction.Order(trace).canonical();
    StoreState state = known.states().get(beginning);
    if (state == null) {
      state = observe(scenario);
      known.states().put(beginning, state);
    }
    return state;
  }

  private StoreState observe(Scenario scenario) throws SQLException {
    try {
      return subject.observe(environment, scenario.couponId());
    } catch (SQLException | RuntimeException failed) {
      throw failed;
    } catch (Exception failed) {
      throw new SQLException("the stores could not be read", failed);
    }
  }

  private History history(Scenario scenario, Session session) throws Exception {
    List<Step> steps = session.steps();
    List<Call> calls = new ArrayList<>();
    for (Actor actor : session.actors()) {
      calls.add(call(actor, scenario, session, steps));
    }
    List<Books> books = new ArrayList<>();
    session.books().forEach(m -> books.add(new Books(m.steps(), true, m.state())));
    StoreState atRest = comeToRest(scenario);
    WireLog log = session.wireLog();
    Wire wire = log.wire(steps, scenario.requests().size(), redisHand.absent(log.lostKeys()));
    Memory.Probes probes = null;
    if (atRest != null) {
      long moment = steps.size() + 1L;
      books.add(new Books(moment, true, atRest));
      probes = probes(scenario, session, calls, atRest);
      for (Call probe : probes.calls()) {
        calls.add(renumbered(probe, calls.size(), scenario.couponId(), moment));
      }
      probes.books().forEach(b -> books.add(new Books(moment + b.moment(), true, b.state())));
    }
    return new History(
        scenario,
        session.faulted(),
        calls,
        books,
        atRest,
        probes == null ? null : probes.after(),
        wire,
        probes == null ? List.of() : probes.badInputs());
  }

  private static Call call(Actor actor, Scenario scenario, Session session, List<Step> steps) {
    long start = actor.firstStep >= 0 ? actor.firstStep : Math.min(actor.end, steps.size());
    Boolean rowAtEnd = null;
    if (actor.end != Call.NEVER) {
      for (Session.Moment moment : session.books()) {
        if (moment.steps() <= actor.end) {
          rowAtEnd = moment.state().rowsByUser().containsKey(actor.userId);
        }
      }
    }
    return new Call(
        actor.index,
        phase(scenario.requests().get(actor.index)),
        actor.userId,
        scenario.couponId(),
        actor.instance,
        start,
        actor.returned || actor.cutOff ? actor.end : Call.NEVER,
        actor.outcome,
        actor.error,
        actor.cutOff,
        rowAtEnd,
        wroteRow(actor, scenario, session, steps));
  }

  private static Call.Phase phase(Request request) {
    return switch (request.deed()) {
      case ASKS -> Call.Phase.SALE;
      case OPENS_AGAIN -> Call.Phase.OPENS_AGAIN;
      case RECONCILES, REBUILDS -> Call.Phase.RECOVERS;
    };
  }

  /**
   * Whether the row of the actor's user appeared at a step of the actor; unknown if at somebody
   * else's.
   */
  private static @Nullable Boolean wroteRow(
      Actor actor, Scenario scenario, Session session, List<Step> steps) {
    List<Session.Moment> books = session.books();
    boolean wrote = false;
    for (int i = 1; i < books.size(); i++) {
      long before = books.get(i - 1).state().rowsByUser().getOrDefault(actor.userId, 0L);
      long after = books.get(i).state().rowsByUser().getOrDefault(actor.userId, 0L);
      if (after > before && books.get(i).steps() > 0) {
        int by = steps.get(books.get(i).steps() - 1).actor();
        boolean late = by >= scenario.requests().size();
        if (late || !scenario.requests().get(by).userId().equals(actor.userId)) {
          return null;
        }
        wrote |= by == actor.index;
      }
    }
    return wrote;
  }

  /**
   * Starts what was killed, finishes background work, and reads the stores; null if that takes too
   * long.
   */
  private @Nullable StoreState comeToRest(Scenario scenario) throws Exception {
    instances.ready(scenario.instances());
    redisHand.delete(subject.leases().of(scenario.couponId()));
    if (!resolves) {
      return observe(scenario);
    }
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      if (resolveAll(scenario) && reconciled(scenario)) {
        return observe(scenario);
      }
    }
    return null;
  }

  private boolean reconciled(Scenario scenario) throws InterruptedException {
    if (scenario.window() == Scenario.Window.UNKNOWN) {
      // There is nothing to be reconciled.
      return true;
    }
    // Any one instance must be able to find what the others have left.
    Subject.Instance first = instances.get(0);
    return done(
        () -> {
          // What looks wrong while others are in flight is acted upon when it is seen again.
          first.reconcile(scenario.couponId());
          first.reconcile(scenario.couponId());
          return true;
        });
  }

  private boolean resolveAll(Scenario scenario) throws InterruptedException {
    boolean resolved = true;
    for (int slot = 0; slot < scenario.instances(); slot++) {
      Subject.Instance instance = instances.get(slot);
      resolved &=
          done(
              () -> {
                instance.resolve();
                return true;
              });
    }
    return resolved;
  }

  private boolean done(Callable<Boolean> work) throws InterruptedException {
    try {
      return within(work);
    } catch (TimeoutException | ExecutionException notInTime) {
      return false;
    }
  }

  private Memory.Probes probes(
      Scenario scenario, Session session, List<Call> calls, StoreState atRest) throws Exception {
    Memory known = memory;
    Object end =
        List.of(
            atRest,
            calls.stream().map(c -> List.of(String.valueOf(c.outcome()), c.cutOff())).toList(),
            session.faulted() ? new Reduction.Order(trace(session)).canonical() : "");
    if (known != null && known.probes().containsKey(end)) {
      return known.probes().get(end);
    }
    Memory.Probes probes = probe(scenario, atRest);
    if (known != null) {
      known.probes().put(end, probes);
    }
    return probes;
  }

  private static List<Chooser.Done> trace(Session session) {
    return session.steps().stream()
        .map(step -> new Chooser.Done(step.actor(), step.footprint(), step.enabledBy()))
        .toList();
  }

  /**
   * At rest everybody asks again, and then as many fresh users as there are units left, and one
   * more.
   */
  private Memory.Probes probe(Scenario scenario, StoreState atRest) throws Exception {
    List<Call> calls = new ArrayList<>();
    List<Books> books = new ArrayList<>();
    Set<String> askers = new LinkedHashSet<>();
    scenario.requests().stream().filter(Request::asks).forEach(r -> askers.add(r.userId()));
    for (String user : askers) {
      askUntilDecided(scenario, user, Call.Phase.ASKS_AGAIN, calls, books);
    }
    long rows = calls.isEmpty() ? atRest.rows() : books.get(books.size() - 1).state().rows();
    long left = Math.max(0, scenario.total() - rows);
    for (int i = 0; i <= Math.min(left, scenario.total()); i++) {
      String user = Integer.toString(FIRST_FRESH_USER + i);
      askUntilDecided(scenario, user, Call.Phase.FRESH, calls, books);
    }
    StoreState after = comeToRest(scenario);
    return new Memory.Probes(
        calls, books, after, after == null ? List.of() : badInputs(after, scenario));
  }

  private List<BadInput> badInputs(StoreState before, Scenario scenario) throws Exception {
    return subject.capabilities().contains(Capability.INPUT_CHECKS)
        ? new BadInputs(instances.get(0), scenario.couponId(), board::passed)
            .tryAll(before, () -> observe(scenario))
        : List.of();
  }

  /**
   * Whoever is told UNAVAILABLE asks again, as he is told to; what the answer leaves to be done is
   * done before.
   */
  private void askUntilDecided(
      Scenario scenario, String user, Call.Phase phase, List<Call> calls, List<Books> books)
      throws Exception {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      ask(scenario, user, phase, calls.size(), calls, books);
      if (calls.get(calls.size() - 1).outcome() != IssueOutcome.UNAVAILABLE) {
        return;
      }
      comeToRest(scenario);
    }
  }

  private void ask(
      Scenario scenario,
      String user,
      Call.Phase phase,
      int asked,
      List<Call> calls,
      List<Books> books)
      throws Exception {
    int slot = asked % scenario.instances();
    Subject.Instance instance = instances.get(slot);
    IssueOutcome outcome = null;
    String error = null;
    long end = 2L * asked + 1;
    try {
      outcome = within(() -> instance.issue(scenario.couponId(), user));
    } catch (TimeoutException hangs) {
      end = Call.NEVER;
    } catch (ExecutionException escaped) {
      error = Actor.describe(escaped.getCause() == null ? escaped : escaped.getCause());
    }
    StoreState told = observe(scenario);
    books.add(new Books(2L * asked + 1, true, told));
    StoreState state = told;
    if (resolves && resolveAll(scenario)) {
      state = observe(scenario);
    }
    books.add(new Books(2L * asked + 2, true, state));
    calls.add(
        new Call(
            asked,
            phase,
            user,
            scenario.couponId(),
            slot,
            2L * asked,
            end,
            outcome,
            error,
            false,
            told.rowsByUser().containsKey(user),
            null));
  }

  private static Call renumbered(Call probe, int id, long couponId, long moment) {
    return new Call(
        id,
        probe.phase(),
        probe.userId(),
        couponId,
        probe.instance(),
        moment + probe.start(),
        probe.end() == Call.NEVER ? Call.NEVER : moment + probe.end(),
        probe.outcome(),
        probe.error(),
        probe.cutOff(),
        probe.rowAtEnd(),
        probe.wroteRow());
  }

  private <T> T within(Callable<T> work)
      throws InterruptedException, ExecutionException, TimeoutException {
    Future<T> future = workers.submit(work);
    try {
      return future.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    } finally {
      future.cancel(true);
    }
  }

  @Override
  public void close() throws Exception {
    Closing.all(
        List.of(board::release, instances, lockWaits, redisHand, () -> workers.shutdownNow()));
  }
}
