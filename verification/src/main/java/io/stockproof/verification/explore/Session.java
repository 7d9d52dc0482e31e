package io.stockproof.verification.explore;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.LeaseKeys;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.explore.Actor.State;
import io.stockproof.verification.explore.Chooser.Option;
import io.stockproof.verification.wire.Command;
import io.stockproof.verification.wire.LateCommand;
import io.stockproof.verification.wire.Reply;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The steered part of one run: from the first command held to the last call ended. Used by one
 * thread, once.
 *
 * <p>A step is taken only when every actor is quiet: it holds a command, has ended, or waits for a
 * lock that the server reports, or for a monitor that another actor owns. So the same choices give
 * the same commands in the same order.
 */
final class Session {

  private static final long GLANCE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final long FIRST_LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(1500);
  private static final long RECHECK_NANOS = TimeUnit.MICROSECONDS.toNanos(300);
  private static final long NEXT_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long UNOWNED_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(60);
  private static final long UNOWNED_WAIT_AFTER_FAULT_NANOS = TimeUnit.MILLISECONDS.toNanos(150);
  private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(6);
  private static final int LOOKS_TO_BE_SURE = 2;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Stage stage;
  private final Scenario scenario;
  private final FaultPlan plan;
  private final Footprints footprints;
  private final String couponText;
  private final List<Actor> actors = new ArrayList<>();
  private final Map<Integer, Late> late = new HashMap<>();
  private final Map<FaultPlan.Strike, Actor> deliveries = new HashMap<>();
  private @Nullable String doubt;
  private final List<Draft> drafts = new ArrayList<>();
  private final Map<Command, Draft> undecided = new HashMap<>();
  private final Map<Integer, Actor> owners = new HashMap<>();
  private final Deque<Command> unclaimed = new ArrayDeque<>();
  private final List<Moment> books = new ArrayList<>();
  private final Set<Command> guessed = new HashSet<>();
  private final WireLog wireLog = new WireLog();
  private final SharedInstances shared;
  private final RedisPast past;
  private final OneGo oneGo;
  private final Map<Command, Integer> arrivedAfter = new HashMap<>();
  private final Map<Command, Words> words = new HashMap<>();
  private Map<Integer, Footprint> offered = Map.of();
  private @Nullable Actor current;
  private boolean locksMayBeFree;
  private boolean refused;
  private boolean faulted;

  Session(Stage stage, Scenario scenario, FaultPlan plan) {
    this.stage = stage;
    this.scenario = scenario;
    this.plan = plan;
    this.footprints = new Footprints(stage.keys());
    this.couponText = Long.toString(scenario.couponId());
    this.shared = new SharedInstances(scenario, plan);
    this.past = stage.past(plan);
    this.oneGo = new OneGo(scenario, plan);
    for (int i = 0; i < scenario.requests().size(); i++) {
      var request = scenario.requests().get(i);
      actors.add(new Actor(i, request.instance(), request.userId()));
    }
    for (FaultPlan.Strike strike : plan.strikes()) {
      if (strike.fault() == CommandFault.LATE) {
        // Its number must not depend on the order in which faults strike.
        Actor sender = actors.get(strike.actor() % scenario.requests().size());
        Actor delivery = new Actor(actors.size(), sender.instance, sender.userId);
        delivery.state = State.DONE;
        delivery.finished = true;
        deliveries.put(strike, delivery);
        actors.add(delivery);
      }
    }
  }

  /**
   * A command that is on its way although its client has given up, what it will touch when it
   * arrives, and the step at which the client gave up.
   */
  private record Late(Words words, LateCommand command, Footprint footprint, int step) {}

  /** The books after so many steps. */
  record Moment(int steps, StoreState state) {}

  /** A step under way. */
  private static final class Draft {
    final Actor actor;
    final int ordinal;
    final @Nullable Words words;
    final @Nullable CommandFault fault;
    final int enabledBy;
    Footprint footprint;
    @Nullable Reply reply;
    int settledAfter;
    List<Step.Wait> waiting = List.of();
    @Nullable StoreState books;

    Draft(
        Actor actor,
        int ordinal,
        @Nullable Words words,
        @Nullable CommandFault fault,
        int enabledBy,
        Footprint footprint) {
      this.actor = actor;
      this.ordinal = ordinal;
      this.words = words;
      this.fault = fault;
      this.enabledBy = enabledBy;
      this.footprint = footprint;
    }

    void alsoTouches(Footprint more) {
      footprint = footprint.and(more);
    }

    Step toStep() {
      return new Step(
          actor.index,
          ordinal,
          words,
          footprint,
          fault,
          reply,
          settledAfter,
          waiting,
          books,
          enabledBy);
    }
  }

  /** Nobody can go on. */
  static final class Stalled extends Exception {
    private static final long serialVersionUID = 1L;

    Stalled(String whoWaitsForWhat) {
      super(whoWaitsForWhat);
    }
  }

  List<Actor> actors() {
    return actors.subList(0, scenario.requests().size());
  }

  List<Step> steps() {
    return drafts.stream().map(Draft::toStep).toList();
  }

  List<Moment> books() {
    return books;
  }

  /** What a reader must know of the run; null if nothing. */
  @Nullable String doubt() {
    return doubt;
  }

  /** What the steps alone do not tell. */
  WireLog wireLog() {
    return wireLog;
  }

  /** Whether any fault struck. */
  boolean faulted() {
    return faulted;
  }

  /**
   * Steers until every actor is done.
   *
   * @throws Stalled if nobody can go on
   */
  void steer(Chooser chooser) throws Stalled, InterruptedException, SQLException {
    books.add(new Moment(0, stage.look(scenario, List.of())));
    for (Actor actor : actors()) {
      if (!shared.contains(actor.instance)) {
        start(actor);
      }
    }
    settle();
    while (true) {
      List<Option> options = options();
      if (options.isEmpty()) {
        if (actors.stream().allMatch(a -> a.state == State.DONE)) {
          tellTaken(chooser);
          return;
        }
        awaitAnyone();
        continue;
      }
      tellTaken(chooser);
      Actor actor = actors.get(chooser.choose(drafts.size(), options));
      current = actor;
      act(actor);
      settle();
      keepBooks();
    }
  }

  private void tellTaken(Chooser chooser) {
    if (!drafts.isEmpty()) {
      chooser.took(drafts.get(drafts.size() - 1).footprint);
    }
  }

  private boolean sharedWithLive(Actor actor) {
    return actors().stream()
        .anyMatch(
            a -> a != actor && a.instance == actor.instance && a.state != State.DONE && a.quiet());
  }

  private List<Option> options() {
    Map<Actor, Words> next = new LinkedHashMap<>();
    offered = new HashMap<>();
    for (Actor actor : actors) {
      Command held = actor.held.peek();
      Late lateCommand = late.get(actor.index);
      if (actor.state == State.NOT_STARTED) {
        if (mayStart(actor)) {
          offered.put(actor.index, shared.start(actor));
        }
      } else if (lateCommand != null) {
        next.put(actor, lateCommand.words);
        offered.put(actor.index, lateCommand.footprint);
      } else if (actor.state == State.HOLDING && held != null && !held.queuedBehind()) {
        Words words = words(held);
        next.put(actor, words);
        offered.put(actor.index, footprint(words, planned(actor, actor.commands, words), actor));
      }
    }
    Actor going = goingOn(next);
    if (going != null) {
      Footprint part = Objects.requireNonNull(offered.get(going.index));
      return List.of(new Option(going.index, part, false, command(going, next.get(going))));
    }
    Set<Actor> letThrough = waits(next).letThrough();
    List<Option> options = new ArrayList<>();
    for (Actor actor : actors) {
      Footprint footprint = offered.get(actor.index);
      if (footprint != null) {
        Words words = next.get(actor);
        boolean waits = words != null && footprints.blocked(words.connection(), footprint);
        if (waits && letThrough.contains(actor)) {
          // Who is let through first may decide whose transaction the server gives up.
          footprint = footprint.and(Waits.IN_LINE);
          offered.put(actor.index, footprint);
          waits = false;
        }
        int command = command(actor, words);
        options.add(new Option(actor.index, footprint, waits, command));
      }
    }
    return options;
  }

  /** Who goes on before anybody else; null if nobody does. */
  private @Nullable Actor goingOn(Map<Actor, Words> next) {
    next.forEach(
        (actor, words) ->
            offered.computeIfPresent(
                actor.index,
                (index, own) ->
                    oneGo.next(actor, own, footprints.blocked(words.connection(), own))));
    return next.keySet().stream().filter(actor -> actor.going).findFirst().orElse(null);
  }

  private boolean mayStart(Actor actor) {
    Integer twin = shared.twinBefore(actor.index);
    return twin == null || actors.get(twin).state != State.NOT_STARTED;
  }

  /** The same for the same command at the same stage of a request. */
  private static int command(Actor actor, @Nullable Words words) {
    if (words == null) {
      return Objects.hash(actor.instance);
    }
    boolean script = words.redis() && words.name().startsWith("EVAL");
    String which = script ? words.statement().split(" ", 3)[1] : "";
    return Objects.hash(actor.instance, actor.returned, Step.hash(words), which);
  }

  /** Who waits for whom, or would if he were let through. */
  private Waits waits(Map<Actor, Words> next) {
    Waits waits = new Waits();
    next.forEach(
        (actor, words) -> {
          Footprint footprint = Objects.requireNonNull(offered.get(actor.index));
          waits.add(actor, footprint, holders(words.connection(), footprint));
        });
    for (Actor actor : actors) {
      Command executing = actor.executing;
      Draft draft =
          executing != null && actor.state == State.LOCKED ? undecided.get(executing) : null;
      if (executing != null && draft != null) {
        waits.add(actor, draft.footprint, holders(executing.connection(), draft.footprint));
      }
    }
    return waits;
  }

  private Set<Actor> holders(int connection, Footprint footprint) {
    Set<Actor> holders = new HashSet<>();
    for (Footprint.Lock lock : footprint.needs()) {
      Actor holder = owners.get(footprints.holderOf(lock, connection));
      if (holder != null) {
        holders.add(holder);
      }
    }
    return holders;
  }

  /**
   * The fault that is planned there, if it can happen to this command: another order may bring
   * another command to the place.
   */
  private @Nullable CommandFault planned(Actor actor, int ordinal, Words words) {
    CommandFault fault = plan.at(actor.index, ordinal);
    return fault != null && fault.appliesTo(words, stage.environment().database().product())
        ? fault
        : null;
  }

  private Footprint footprint(Words words, @Nullable CommandFault fault, Actor actor) {
    return ownFootprint(words, fault, actor).and(shared.command(actor, words, fault));
  }

  private Footprint ownFootprint(Words words, @Nullable CommandFault fault, Actor actor) {
    if (fault == null) {
      return footprints.of(words);
    }
    return switch (fault) {
      case LOST_BEFORE, ERROR_1213, ERROR_1020 -> footprints.rollback(words.connection());
      case LATE, ERROR_1205, ERROR_1290, ERROR_OOM, ERROR_READONLY, ERROR_LOADING, ERROR_NOSCRIPT ->
          Footprint.NONE;
      case REPLY_LOST ->
          words.redis()
              ? footprints.of(words)
              : footprints.of(words).and(footprints.rollback(words.connection()));
      case CRASH -> {
        Footprint all = Footprint.NONE;
        for (Map.Entry<Integer, Actor> owner : owners.entrySet()) {
          if (owner.getValue().instance == actor.instance) {
            all = all.and(footprints.rollback(owner.getKey()));
          }
        }
        yield all;
      }
      case KEY_EXPIRY, FIRST_KEY_EXPIRY, LAST_KEY_EXPIRY -> {
        List<Access> gone =
            fault.expiring(words.keys()).stream()
                .map(key -> new Access("redis:" + key, Map.of(), Access.Mode.WRITE))
                .toList();
        yield footprints.of(words).and(new Footprint(gone));
      }
      case REDIS_LOSES_ALL, REDIS_LOSES_LAST_WRITE, REDIS_LOSES_WRITES ->
          footprints
              .of(words)
              .and(new Footprint(List.of(Access.whole("redis", Access.Mode.WRITE))));
    };
  }

  private Footprint lateFootprint(Words words) {
    Footprint own = footprints.of(words);
    return words.redis() ? own : own.and(footprints.rollback(words.connection()));
  }

  private void start(Actor actor) {
    actor.state = State.RUNNING;
    stage.start(actor, scenario);
  }

  private void act(Actor actor) throws InterruptedException {
    Footprint footprint = Objects.requireNonNull(offered.get(actor.index));
    if (actor.state == State.NOT_STARTED) {
      drafts.add(new Draft(actor, -1, null, null, startOfTwin(actor), footprint));
      start(actor);
      return;
    }
    Late lateCommand = late.remove(actor.index);
    if (lateCommand != null) {
      deliver(actor, lateCommand, footprint);
      return;
    }
    Command command = actor.held.remove();
    Words words = words(command);
    int ordinal = actor.commands++;
    CommandFault fault = planned(actor, ordinal, words);
    Draft draft = new Draft(actor, ordinal, words, fault, enabler(actor, command), footprint);
    actor.firstStep = actor.firstStep < 0 ? drafts.size() : actor.firstStep;
    oneGo.went(actor);
    drafts.add(draft);
    if (guessed.remove(command)) {
      wireLog.guessed(drafts.size());
    }
    undecided.put(command, draft);
    actor.executing = command;
    actor.state = State.EXECUTING;
    past.next(sharedKeys(command));
    if (fault == null) {
      if (!command.forward()) {
        goesOn(actor, words);
      }
    } else {
      strike(fault, actor, command, words);
    }
  }

  private int startOfTwin(Actor actor) {
    Integer twin = shared.twinBefore(actor.index);
    for (int i = 0; twin != null && i < drafts.size(); i++) {
      if (drafts.get(i).actor.index == twin && drafts.get(i).words == null) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The step of somebody else after which the command came; -1 if it came after a step of its own
   * actor.
   */
  private int enabler(Actor actor, Command command) {
    int step = Objects.requireNonNullElse(arrivedAfter.get(command), 0) - 1;
    return step >= 0 && drafts.get(step).actor != actor ? step : -1;
  }

  /** What was late arrives; it may have to wait for a lock like anything else. */
  private void deliver(Actor actor, Late lateCommand, Footprint footprint) {
    Draft draft = new Draft(actor, 0, lateCommand.words, null, lateCommand.step, footprint);
    drafts.add(draft);
    Command command = lateCommand.command.command();
    undecided.put(command, draft);
    actor.executing = command;
    actor.state = State.EXECUTING;
    past.next(sharedKeys(command));
    stage.deliver(lateCommand.command, actor);
  }

  private void strike(CommandFault fault, Actor actor, Command command, Words words) {
    faulted = true;
    switch (fault) {
      case LOST_BEFORE -> {
        command.cutBefore();
        goesOn(actor, words);
      }
      case REPLY_LOST -> {
        command.loseReply();
        locksMayBeFree = true;
      }
      case LATE -> {
        Actor delivery =
            Objects.requireNonNull(
                deliveries.get(
                    new FaultPlan.Strike(actor.index, actor.commands - 1, CommandFault.LATE)));
        Footprint eventual = lateFootprint(words);
        LateCommand coming = command.giveUp();
        delivery.state = State.HOLDING;
        late.put(delivery.index, new Late(words, coming, eventual, drafts.size() - 1));
        goesOn(actor, words);
      }
      case CRASH -> crash(actor);
      case KEY_EXPIRY, FIRST_KEY_EXPIRY, LAST_KEY_EXPIRY -> {
        List<String> gone = fault.expiring(sharedKeys(command));
        stage.expire(gone);
        lost(gone);
        command.forward();
      }
      case REDIS_LOSES_ALL -> {
        lost(stage.loseAll(couponText));
        command.forward();
      }
      case REDIS_LOSES_LAST_WRITE -> {
        lost(past.withoutLastWrite());
        command.forward();
      }
      case REDIS_LOSES_WRITES -> {
        lost(past.withoutAnyWrite());
        command.forward();
      }
      case ERROR_1213,
          ERROR_1205,
          ERROR_1020,
          ERROR_1290,
          ERROR_OOM,
          ERROR_READONLY,
          ERROR_LOADING,
          ERROR_NOSCRIPT -> {
        command.answer(Objects.requireNonNull(fault.error()));
        if (fault == CommandFault.ERROR_1213 || fault == CommandFault.ERROR_1020) {
          footprints.closed(command.connection());
        }
        locksMayBeFree = true;
        goesOn(actor, words);
      }
    }
  }

  private void lost(Collection<String> keys) {
    keys.forEach(key -> wireLog.lost(drafts.size(), key, plain(key)));
  }

  /** The connection ended or an answer was made up: the actor's code goes on. */
  private void goesOn(Actor actor, Words words) {
    if (actor.executing != null) {
      undecided.remove(actor.executing);
    }
    actor.executing = null;
    actor.state = actor.held.isEmpty() ? State.RUNNING : State.HOLDING;
    if (!words.redis()) {
      locksMayBeFree = true;
    }
  }

  private void crash(Actor striker) {
    stage.crash(striker.instance);
    for (Actor actor : actors()) {
      if (actor.instance == striker.instance) {
        actor.cutOff |= !actor.returned;
        actor.end = actor.returned ? actor.end : drafts.size();
        actor.held.clear();
        actor.executing = null;
        actor.state = State.DONE;
      }
    }
    owners.forEach(
        (connection, owner) -> {
          if (owner.instance == striker.instance) {
            footprints.closed(connection);
          }
        });
    locksMayBeFree = true;
  }

  /** Waits until every actor is quiet. */
  private void settle() throws Stalled, InterruptedException, SQLException {
    boolean rechecks = false;
    for (Actor actor : actors) {
      boolean wakes =
          (actor.state == State.LOCKED && locksMayBeFree)
              || (actor.state == State.PARKED
                  && current != null
                  && actor.instance == current.instance);
      if (wakes) {
        rechecks |= actor.state == State.PARKED;
        actor.state = actor.state == State.LOCKED ? State.EXECUTING : State.RUNNING;
        actor.looks = 0;
      }
    }
    locksMayBeFree = false;
    long begun = System.nanoTime();
    long lastEvent = begun;
    boolean glances = shared.any();
    long firstLook = rechecks ? RECHECK_NANOS : FIRST_LOOK_NANOS;
    long nextLook = begun + (glances ? GLANCE_NANOS : firstLook);
    while (!unclaimed.isEmpty() || actors.stream().anyMatch(a -> !a.quiet())) {
      long now = System.nanoTime();
      Switchboard.Event event = stage.board().poll(Math.max(0, nextLook - now));
      if (event != null) {
        handle(event);
        lastEvent = System.nanoTime();
        glances = shared.any();
        nextLook = lastEvent + (glances ? GLANCE_NANOS : firstLook);
        continue;
      }
      now = System.nanoTime();
      if (now - begun > STALL_NANOS) {
        throw new Stalled(whoWaitsForWhat());
      }
      if (now >= nextLook && glances) {
        glances = false;
        glance();
        nextLook = lastEvent + firstLook;
      } else if (now >= nextLook) {
        look(now - lastEvent);
        claim(now - lastEvent > UNOWNED_WAIT_NANOS);
        nextLook = System.nanoTime() + NEXT_LOOK_NANOS;
      }
    }
    for (Switchboard.Event event = stage.board().poll(0);
        event != null;
        event = stage.board().poll(0)) {
      handle(event);
    }
  }

  /** Everybody who is not done waits: a time-out somewhere may still open the way. */
  private void awaitAnyone() throws Stalled, InterruptedException, SQLException {
    Switchboard.Event event = stage.board().poll(STALL_NANOS);
    if (event == null) {
      throw new Stalled(whoWaitsForWhat());
    }
    handle(event);
    settle();
    keepBooks();
  }

  private void handle(Switchboard.Event event) {
    if (event instanceof Switchboard.Event.Arrived arrived) {
      arrived(arrived.command());
    } else if (event instanceof Switchboard.Event.Replied replied) {
      replied(replied.command(), replied.reply());
    } else if (event instanceof Switchboard.Event.Closed closed) {
      closed(closed.connection());
    } else if (event instanceof Switchboard.Event.Returned returned && !returned.actor().cutOff) {
      recheckInside(returned.actor().instance);
      shared.returned(returned.actor());
      returned.actor().returned = true;
      refused |=
          returned.outcome() != null
              && returned.outcome().isFinal()
              && returned.outcome() != IssueOutcome.ISSUED;
      returned.actor().outcome = returned.outcome();
      returned.actor().error = returned.error();
      returned.actor().end = drafts.size();
    } else if (event instanceof Switchboard.Event.Undelivered undelivered) {
      undelivered(undelivered.actor());
    } else if (event instanceof Switchboard.Event.Finished finished) {
      if (finished.actor().held.isEmpty()) {
        finished.actor().state = State.DONE;
      }
      finished.actor().finished = true;
      recheckInside(finished.actor().instance);
    }
  }

  /** The server had closed first: then it never arrived, as happens to a packet. */
  private void undelivered(Actor actor) {
    Command command = actor.executing;
    if (command != null) {
      undecided.remove(command);
      footprints.closed(command.connection());
    }
    actor.executing = null;
    actor.state = State.DONE;
    locksAreFreed();
  }

  private boolean startedOn(Actor actor, Command command) {
    return actor.state != State.NOT_STARTED
        && actor.instance == stage.instanceOf(command.instance());
  }

  /** Who waits inside an instance may go on when somebody there has gone on. */
  private void recheckInside(int instance) {
    for (Actor actor : actors) {
      if (actor.state == State.PARKED && actor.instance == instance) {
        actor.state = State.RUNNING;
        actor.looks = 0;
      }
    }
  }

  /** Who waited for a lock may have it now: nobody else goes on before that is known. */
  private void locksAreFreed() {
    locksMayBeFree = true;
    for (Actor actor : actors) {
      if (actor.state == State.LOCKED) {
        actor.state = State.EXECUTING;
        actor.looks = 0;
      }
    }
  }

  private void closed(int connection) {
    boolean stillComing = late.values().stream().anyMatch(l -> l.words.connection() == connection);
    if (!stillComing) {
      footprints.closed(connection);
    }
    locksAreFreed();
    unclaimed.removeIf(command -> command.connection() == connection);
    for (Actor actor : actors()) {
      boolean lost = actor.held.removeIf(command -> command.connection() == connection);
      if (lost && actor.state == State.HOLDING && actor.held.isEmpty()) {
        actor.state = actor.finished ? State.DONE : State.RUNNING;
      }
      Command executing = actor.executing;
      if (executing != null && executing.connection() == connection) {
        goesOn(actor, words(executing));
      }
      if (lost) {
        doubt = "requests shared a connection that was cut: whose command came again is a guess";
      }
    }
  }

  private void arrived(Command command) {
    // Whoever waited inside the same instance may be the one who went on and sent it.
    recheckInside(stage.instanceOf(command.instance()));
    unclaimed.add(command);
    arrivedAfter.put(command, drafts.size());
    claim(false);
  }

  /**
   * Finds out whose commands have arrived. One actor an instance is certain; of several it is the
   * owner of the connection's transaction, or the only one whose code runs. Where two run, it is
   * decided when one of them is quiet.
   *
   * @param now whether to decide even if that is not certain
   */
  private void claim(boolean now) {
    for (int n = unclaimed.size(); n > 0; n--) {
      Command command = unclaimed.remove();
      if (isPrivate(command)) {
        command.forward();
        continue;
      }
      if (actors().stream().noneMatch(a -> startedOn(a, command))) {
        // Housekeeping of an instance that was not asked yet.
        command.forward();
        continue;
      }
      Actor actor = ownerOf(command, now);
      if (actor == null) {
        unclaimed.add(command);
        continue;
      }
      owners.put(command.connection(), actor);
      actor.held.add(command);
      if (command.store() == Command.Store.REDIS) {
        shared.sent(actor, command.connection());
      }
      if (actor.state != State.EXECUTING && actor.state != State.LOCKED) {
        actor.state = State.HOLDING;
      }
    }
  }

  /** A client library's own: it comes when it likes, and its order matters to nobody. */
  private boolean isPrivate(Command command) {
    return !command.keys().isEmpty() && sharedKeys(command).isEmpty();
  }

  private List<String> sharedKeys(Command command) {
    LeaseKeys leases = stage.subject().leases();
    return command.keys().stream().filter(key -> !leases.isPrivate(key)).toList();
  }

  private void replied(Command command, Reply reply) {
    Draft draft = undecided.remove(command);
    Words words = words(command);
    if (draft != null) {
      draft.reply = reply;
      draft.settledAfter = drafts.size();
      learn(draft, words, reply);
      boolean ends =
          reply.error()
              || draft.actor.index >= scenario.requests().size()
              || (!words.redis()
                  && (words.name().equals("COMMIT") || words.name().equals("ROLLBACK")));
      if (ends) {
        locksAreFreed();
        if (!reply.error()) {
          // The pool may hand the connection to anybody next.
          owners.remove(command.connection());
        }
      }
    }
    for (Actor actor : actors) {
      if (actor.executing == command) {
        actor.executing = null;
        actor.looks = 0;
        if (actor.finished && actor.held.isEmpty()) {
          actor.state = State.DONE;
        } else {
          actor.state = actor.held.isEmpty() ? State.RUNNING : State.HOLDING;
        }
      }
    }
  }

  /** What only the reply tells of a step. */
  private void learn(Draft draft, Words words, Reply reply) {
    Footprint more = footprints.done(words, reply);
    draft.alsoTouches(oneGo.part(draft.actor, more));
    // It may have waited: then it happens in the course of a later step.
    Draft last = drafts.get(drafts.size() - 1);
    last.alsoTouches(last == draft ? oneGo.part(draft.actor, more) : more);
    if (draft.actor.index >= scenario.requests().size()) {
      // Nobody reads what it says; the server has undone what was open and closed.
      footprints.closed(words.connection());
    }
  }

  private @Nullable Actor ownerOf(Command command, boolean now) {
    int instance = stage.instanceOf(command.instance());
    List<Actor> candidates =
        actors().stream()
            .filter(a -> a.instance == instance && a.state != State.NOT_STARTED)
            .toList();
    if (candidates.size() == 1) {
      return candidates.get(0);
    }
    Actor owner = owners.get(command.connection());
    if (owner != null && owner.state == State.RUNNING && command.inTransaction()) {
      return owner;
    }
    List<Actor> running = candidates.stream().filter(a -> a.state == State.RUNNING).toList();
    if (running.size() == 1) {
      return running.get(0);
    }
    if (!now && !running.isEmpty()) {
      return null;
    }
    guessed.add(command);
    // Background work of the instance: it goes with whoever used the connection last.
    return running.isEmpty()
        ? Objects.requireNonNullElse(owner, candidates.get(candidates.size() - 1))
        : running.get(0);
  }

  private void look(long quietNanos) throws SQLException {
    Map<Long, Actor> executing = new HashMap<>();
    for (Actor actor : actors) {
      if (actor.executing != null && actor.executing.store() == Command.Store.DATABASE) {
        executing.put(actor.executing.serverConnectionId(), actor);
      }
    }
    Set<Long> waiting =
        executing.isEmpty()
            ? Set.of()
            : stage.lockWaits().waiting(new HashSet<>(executing.keySet()));
    executing.forEach(
        (id, actor) -> {
          actor.looks = waiting.contains(id) ? actor.looks + 1 : 0;
          if (actor.state == State.EXECUTING && actor.looks >= LOOKS_TO_BE_SURE) {
            actor.state = State.LOCKED;
            drafts.get(drafts.size() - 1).alsoTouches(oneGo.interrupted(actor));
          }
        });
    for (Actor actor : actors) {
      if (actor.state == State.RUNNING) {
        actor.looks = waitsInside(actor, quietNanos) ? actor.looks + 1 : 0;
        if (actor.looks >= LOOKS_TO_BE_SURE) {
          actor.state = State.PARKED;
          if (ownerOfMonitor(threadInfo(actor)) != null) {
            wireLog.waits(actor.index, drafts.size());
          }
        }
      }
    }
  }

  /** Who stands before a monitor of somebody who is quiet goes on only after him. */
  private void glance() {
    for (Actor actor : actors) {
      if (actor.state == State.RUNNING && sharedWithLive(actor)) {
        Actor owner = ownerOfMonitor(threadInfo(actor));
        if (owner != null && owner.quiet()) {
          actor.state = State.PARKED;
          wireLog.waits(actor.index, drafts.size());
        }
      }
    }
  }

  private static @Nullable ThreadInfo threadInfo(Actor actor) {
    Thread thread = actor.thread;
    return thread == null ? null : THREADS.getThreadInfo(thread.getId(), 1);
  }

  /** The actor that has the monitor or lock before which a thread stands; null if none has. */
  private @Nullable Actor ownerOfMonitor(@Nullable ThreadInfo info) {
    long ownerId = info == null ? -1 : info.getLockOwnerId();
    return actors.stream()
        .filter(a -> ownerId >= 0 && !a.finished && a.runsOn(ownerId))
        .findFirst()
        .orElse(null);
  }

  private boolean waitsInside(Actor actor, long quietNanos) {
    ThreadInfo info = threadInfo(actor);
    if (info == null) {
      return false;
    }
    if (info.getLockOwnerId() >= 0) {
      return ownerOfMonitor(info) != null;
    }
    if (!sharedWithLive(actor)) {
      // Nobody else is in there: it waits for a server or for time, and goes on by itself.
      return false;
    }
    boolean waits =
        info.getThreadState() == Thread.State.WAITING
            || info.getThreadState() == Thread.State.TIMED_WAITING;
    StackTraceElement[] stack = info.getStackTrace();
    boolean sleeps = stack.length > 0 && stack[0].getMethodName().startsWith("sleep");
    long bound = faulted ? UNOWNED_WAIT_AFTER_FAULT_NANOS : UNOWNED_WAIT_NANOS;
    return waits && !sleeps && quietNanos > bound;
  }

  private void keepBooks() throws SQLException {
    if (drafts.isEmpty()) {
      return;
    }
    Draft draft = drafts.get(drafts.size() - 1);
    draft.alsoTouches(shared.meanwhile());
    draft.waiting = actors.stream().filter(a -> a.state == State.LOCKED).map(this::waitOf).toList();
    StoreState before = books.get(books.size() - 1).state();
    StoreState now =
        mayShow(draft)
            ? stage.look(
                scenario,
                drafts.stream()
                    .map(d -> new Chooser.Done(d.actor.index, d.footprint, d.enabledBy))
                    .toList())
            : before;
    draft.books = now;
    books.add(new Moment(drafts.size(), now));
    judgedBy(draft, !now.rowsByUser().equals(before.rowsByUser()));
  }

  /**
   * Whether a refusal was true is judged by the rows there are when it is told (R303, R304): that
   * moment cannot change places with a change of the rows, whatever else the commands touch.
   */
  private void judgedBy(Draft draft, boolean rowsChanged) {
    if (rowsChanged) {
      Access change = new Access("rows:" + draft.actor.index, Map.of(), Access.Mode.WRITE);
      draft.alsoTouches(new Footprint(List.of(change)));
    }
    if (refused) {
      Access judged = Access.whole("rows", Access.Mode.READ);
      draft.alsoTouches(new Footprint(List.of(judged)));
      refused = false;
    }
  }

  private Step.Wait waitOf(Actor actor) {
    Command command = actor.executing;
    Draft draft = command == null ? null : undecided.get(command);
    if (command == null || draft == null) {
      return new Step.Wait(actor.index, -1, "");
    }
    for (Footprint.Lock lock : draft.footprint.needs()) {
      Actor holder = owners.get(footprints.holderOf(lock, command.connection()));
      if (holder != null) {
        String table = lock.place().substring(lock.place().indexOf(':') + 1);
        return new Step.Wait(actor.index, holder.index, table + "#" + lock.values());
      }
    }
    return new Step.Wait(actor.index, -1, "");
  }

  /** Whether others may see the stores changed by it. */
  private boolean mayShow(Draft draft) {
    Words words = draft.words;
    if (words == null) {
      return false;
    }
    if (draft.fault != null || draft.actor.index >= scenario.requests().size()) {
      return true;
    }
    if (words.redis()) {
      return !Footprints.readsOnly(words);
    }
    return draft.footprint.accesses().stream().anyMatch(a -> a.mode() == Access.Mode.WRITE);
  }

  private Words words(Command command) {
    boolean autocommit = command.store() == Command.Store.DATABASE && !command.inTransaction();
    Words known = words.get(command);
    if (known == null || known.autocommit() != autocommit) {
      known = words(command, autocommit);
      words.put(command, known);
    }
    return known;
  }

  private Words words(Command command, boolean autocommit) {
    return new Words(
        command.store() == Command.Store.REDIS,
        command.connection(),
        autocommit,
        command.name(),
        sharedKeys(command).stream().map(this::plain).toList(),
        plain(command.statement()),
        command.parameters().stream().map(this::plain).toList());
  }

  private String plain(String text) {
    return text.replace(couponText, "1");
  }

  private String whoWaitsForWhat() {
    StringBuilder text = new StringBuilder("after step " + drafts.size() + ": ");
    for (Actor actor : actors) {
      text.append(Drawing.letter(actor.index)).append(" (user ").append(actor.userId).append(") ");
      Command executing = actor.executing;
      switch (actor.state) {
        case EXECUTING, LOCKED ->
            text.append(actor.state == State.LOCKED ? "waits for a lock in " : "executes ")
                .append(executing == null ? "?" : plain(executing.statement()));
        case PARKED, RUNNING -> text.append("waits inside the JVM");
        case HOLDING ->
            text.append("could go on, but is queued behind another command: " + actor.held);
        case DONE -> text.append("is done");
        case NOT_STARTED -> text.append("is not started");
      }
      text.append("; ");
    }
    return text.substring(0, Math.max(0, text.length() - 2));
  }
}
