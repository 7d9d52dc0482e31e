package io.stockproof.verification.protocol;

import io.stockproof.verification.StoreState;
import io.stockproof.verification.explore.CommandFault;
import io.stockproof.verification.explore.RecordedRun;
import io.stockproof.verification.explore.RecordedRun.Sent;
import io.stockproof.verification.protocol.Answer.Word;
import io.stockproof.verification.protocol.Event.Who;
import io.stockproof.verification.protocol.Vocabulary.Verb;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Follows a recorded run in the model: each command must be a step that the model can take there,
 * with the same answer, and the books must agree after it. Where the model has several ways, all
 * are followed.
 */
final class Conformance {

  private static final Set<String> WITHOUT_GATE = Set.of("MISSING", "REBUILDING");

  private final RecordedRun run;
  private final Vocabulary vocabulary;
  private final Scope scope;
  private final Protocol protocol;
  private final List<String> users = new ArrayList<>();

  /** By actor: whether its open transaction raises the epoch. */
  private final Map<Integer, Boolean> raises = new HashMap<>();

  /** By actor: the script that was last asked for by its digest. */
  private final Map<Integer, Verb> unknown = new HashMap<>();

  private final Map<Integer, Boolean> gateless = new HashMap<>();

  private Conformance(RecordedRun run, Vocabulary vocabulary) {
    this.run = run;
    this.vocabulary = vocabulary;
    List<Integer> numbers = new ArrayList<>();
    run.scenario()
        .requests()
        .forEach(
            request -> {
              if (!users.contains(request.userId())) {
                users.add(request.userId());
              }
              numbers.add(users.indexOf(request.userId()));
            });
    this.scope =
        Scope.of((int) run.scenario().total(), numbers.toArray(Integer[]::new))
            .faults(3)
            .reconciliations(3)
            .rebuilds(0, 1);
    this.protocol = new Protocol(scope);
  }

  /** Where the model cannot follow, or null if it can to the end. */
  static @Nullable String refusal(RecordedRun run, Vocabulary vocabulary) {
    return new Conformance(run, vocabulary).refusal();
  }

  private @Nullable String refusal() {
    Map<String, State> states = new LinkedHashMap<>();
    add(states, new State(scope));
    for (int i = 0; i < run.commands().size(); i++) {
      Sent sent = run.commands().get(i);
      Verb verb = verb(sent);
      Map<String, State> next = new LinkedHashMap<>();
      // Time passes between any two commands.
      follow(List.copyOf(states.values()), List.of(e -> e.what().startsWith("the lease")))
          .forEach(state -> add(states, state));
      if (run.commands().stream().anyMatch(Conformance::turnsBack)) {
        follow(List.copyOf(states.values()), List.of(struck(Fault.FAILOVER)))
            .forEach(state -> add(states, state));
      }
      for (List<Predicate<Event>> way : ways(sent, verb)) {
        for (State state : follow(states.values(), way)) {
          if (agrees(state, sent.books())) {
            add(next, state);
          }
        }
      }
      if (next.isEmpty()) {
        return "command %d, %s of actor %d → %s, fault %s, books %s; the model was at %s"
            .formatted(
                i + 1,
                verb,
                sent.actor(),
                sent.reply(),
                sent.fault(),
                sent.books(),
                states.values());
      }
      states.clear();
      states.putAll(next);
    }
    return null;
  }

  /** A script that the server did not know comes again by its text. */
  private Verb verb(Sent sent) {
    if (sent.name().equals("EVAL")) {
      return unknown.getOrDefault(sent.actor(), Verb.OTHER);
    }
    Verb verb = vocabulary.of(sent);
    if (sent.name().equals("EVALSHA")) {
      unknown.put(sent.actor(), verb);
    }
    return verb;
  }

  private static void add(Map<String, State> states, State state) {
    long[] words = new long[State.MOST_WORDS];
    state.encode(words);
    states.put(Arrays.toString(words), state);
  }

  private List<State> follow(Iterable<State> from, List<Predicate<Event>> way) {
    List<State> at = new ArrayList<>();
    from.forEach(at::add);
    for (Predicate<Event> wanted : way) {
      List<State> next = new ArrayList<>();
      for (State state : at) {
        protocol.steps(
            state,
            (event, reached) -> {
              if (wanted.test(event)) {
                next.add(reached);
              }
            });
      }
      at = next;
    }
    return at;
  }

  /** The ways through the model that the command may be; a way without a step changes nothing. */
  private List<List<Predicate<Event>>> ways(Sent sent, Verb verb) {
    CommandFault fault = sent.fault();
    if (sent.actor() >= scope.requests()) {
      return List.of(List.of(arrives(verb)), List.of());
    }
    if (fault == null) {
      return executed(sent, verb);
    }
    return switch (fault) {
      case KEY_EXPIRY, REDIS_LOSES_ALL -> after(struck(Fault.ALL_KEYS), executed(sent, verb));
      case FIRST_KEY_EXPIRY, LAST_KEY_EXPIRY -> after(struck(Fault.ONE_KEY), executed(sent, verb));
      case CRASH -> crash(sent.actor());
      case REDIS_LOSES_LAST_WRITE, REDIS_LOSES_WRITES -> {
        // Where nothing had been written, nothing is lost.
        List<List<Predicate<Event>>> ways = new ArrayList<>(executed(sent, verb));
        ways.addAll(after(e -> e.what().equals("the replica takes over"), executed(sent, verb)));
        yield ways;
      }
      default -> sent.redis() ? script(fault, sent, verb) : statement(fault, sent, verb);
    };
  }

  private static boolean turnsBack(Sent sent) {
    return sent.fault() == CommandFault.REDIS_LOSES_LAST_WRITE
        || sent.fault() == CommandFault.REDIS_LOSES_WRITES;
  }

  private static List<List<Predicate<Event>>> after(
      Predicate<Event> first, List<List<Predicate<Event>>> ways) {
    List<List<Predicate<Event>>> longer = new ArrayList<>();
    for (List<Predicate<Event>> way : ways) {
      List<Predicate<Event>> all = new ArrayList<>(List.of(first));
      all.addAll(way);
      longer.add(all);
    }
    return longer;
  }

  /** Its request, what it left to do, and the rebuild that it was making. */
  private static List<List<Predicate<Event>>> crash(int actor) {
    Predicate<Event> request = of(Who.REQUEST, actor).and(e -> e.fate() == Fault.CRASH);
    Predicate<Event> other =
        of(Who.REBUILD).or(of(Who.RECONCILER)).and(e -> e.fate() == Fault.CRASH);
    return List.of(List.of(request), List.of(other), List.of());
  }

  private static List<List<Predicate<Event>>> script(CommandFault fault, Sent sent, Verb verb) {
    Predicate<Event> whose = whose(sent.actor(), verb);
    return switch (fault) {
      // The client connects and asks again.
      case LOST_BEFORE, ERROR_NOSCRIPT -> List.of(List.of());
      case REPLY_LOST ->
          List.of(List.of(whose.and(e -> e.fate() == Fault.COPY), arrives(verb)), List.of());
      case LATE -> List.of(List.of(whose.and(e -> e.fate() == Fault.COPY)));
      default -> List.of(List.of(whose.and(e -> e.fate() == Fault.REFUSED)), List.of());
    };
  }

  private List<List<Predicate<Event>>> statement(CommandFault fault, Sent sent, Verb verb) {
    int actor = sent.actor();
    boolean commits = verb == Verb.COMMIT && !raises.getOrDefault(actor, false);
    Fault fate =
        switch (fault) {
          case ERROR_1213, ERROR_1205, ERROR_1020 -> Fault.CONFLICT;
          case LOST_BEFORE -> commits ? Fault.COMMIT_LOST : Fault.DATABASE_ERROR;
          case REPLY_LOST -> commits ? Fault.COMMIT_UNANSWERED : Fault.DATABASE_ERROR;
          case LATE -> commits ? Fault.COMMIT_LATE : Fault.DATABASE_ERROR;
          default -> Fault.DATABASE_ERROR;
        };
    Predicate<Event> fails = of(Who.REQUEST, actor).and(e -> e.fate() == fate);
    boolean ofRequest =
        verb == Verb.INSERT || commits || (verb == Verb.COUNT && fate != Fault.CONFLICT);
    return ofRequest ? List.of(List.of(fails)) : List.of(List.of(), List.of(fails));
  }

  /** The command reached the server. */
  private List<List<Predicate<Event>>> executed(Sent sent, Verb verb) {
    int actor = sent.actor();
    if (sent.redis() && sent.error()) {
      // The server does not know the digest.
      return List.of(List.of());
    }
    return switch (verb) {
      case ACQUIRE -> {
        gateless.put(actor, WITHOUT_GATE.contains(sent.reply().get(0)));
        yield List.of(List.of(whose(actor, verb).and(answers(sent))));
      }
      case RELEASE, CONFIRM, EXHAUSTED, RENEW, SETTLE, BEGIN, INSTALL, FINISH ->
          List.of(List.of(whose(actor, verb).and(answers(sent))));
      case STALE -> stale(sent);
      case COUNT -> {
        raises.put(actor, false);
        Word word = sent.affected() == 1 ? Word.COUNTED : Word.NOT_COUNTED;
        yield List.of(List.of(well(Who.REQUEST, actor, "UPDATE").and(said(word))));
      }
      case INSERT -> {
        Word word = sent.error() ? Word.ALREADY_THERE : Word.INSERTED;
        yield List.of(List.of(well(Who.REQUEST, actor, "INSERT").and(said(word))));
      }
      case RAISE -> {
        raises.put(actor, true);
        yield List.of(List.of());
      }
      case COMMIT ->
          raises.getOrDefault(actor, false)
              ? List.of(
                  List.of(of(Who.REBUILD).and(e -> e.what().equals("raise epoch") && fine(e))),
                  List.of(of(Who.RECONCILER).and(e -> e.what().startsWith("raise") && fine(e))))
              : List.of(List.of(well(Who.REQUEST, actor, "COMMIT")));
      case EXPLAIN ->
          // Without a gate it only asks whether there is such a coupon.
          gateless.getOrDefault(actor, false)
              ? List.of(List.of())
              : List.of(List.of(well(Who.REQUEST, actor, "SELECT coupon and row")));
      case LOCK -> List.of(List.of(well(Who.REQUEST, actor, "SELECT FOR UPDATE")));
      case TOKEN -> List.of(List.of(well(Who.REQUEST, actor, "SELECT token")));
      case USERS -> List.of(List.of(of(Who.REBUILD).and(e -> e.what().equals("SELECT users"))));
      case FIND ->
          List.of(List.of(), List.of(of(Who.REBUILD).and(e -> e.what().equals("SELECT coupon"))));
      // Read only, or the end of what was undone already.
      case INSPECT, TOKENS, ROLLBACK -> List.of(List.of());
      case OTHER -> List.of();
    };
  }

  /** All that are named; where none is, nothing begins. */
  private List<List<Predicate<Event>>> stale(Sent sent) {
    return sent.reply().size() <= 2
        ? List.of(List.of())
        : List.of(List.of(of(Who.RECONCILER).and(e -> e.what().equals("STALE"))));
  }

  private static Predicate<Event> whose(int actor, Verb verb) {
    Predicate<Event> verbs = e -> e.what().equals(verb.name());
    return verbs.and(
        switch (verb) {
          case SETTLE -> of(Who.RECONCILER);
          case BEGIN, INSTALL, FINISH -> of(Who.REBUILD);
          default -> of(Who.REQUEST, actor);
        });
  }

  private static Predicate<Event> answers(Sent sent) {
    String word = sent.reply().isEmpty() ? "" : sent.reply().get(0);
    String detail = sent.reply().size() < 2 ? "" : sent.reply().get(1);
    return e -> {
      boolean number =
          switch (e.answer().word()) {
            case ACQUIRED, RENEWED, SETTLED -> detail.equals(Integer.toString(e.answer().number()));
            default -> true;
          };
      return fine(e) && e.answer().word().name().equals(word) && number;
    };
  }

  private static Predicate<Event> arrives(Verb verb) {
    return e -> e.who() == Who.WORLD && e.what().startsWith("arrives: " + verb.name() + " ");
  }

  private static Predicate<Event> struck(Fault fault) {
    return e -> e.who() == Who.WORLD && e.fate() == fault;
  }

  private static Predicate<Event> of(Who who) {
    return e -> e.who() == who;
  }

  private static Predicate<Event> of(Who who, int number) {
    return e -> e.who() == who && e.number() == number;
  }

  private static Predicate<Event> well(Who who, int number, String what) {
    return of(who, number).and(e -> e.what().equals(what) && fine(e));
  }

  private static Predicate<Event> said(Word word) {
    return e -> e.answer().word() == word;
  }

  private static boolean fine(Event event) {
    return event.fate() == null;
  }

  private boolean agrees(State state, @Nullable StoreState books) {
    if (books == null) {
      return true;
    }
    Set<String> settled = new HashSet<>();
    Set<String> open = new HashSet<>();
    Set<String> rows = new HashSet<>();
    for (int user = 0; user < users.size(); user++) {
      boolean reserved = state.gate.token[user] != 0;
      addIf(open, reserved, user);
      addIf(settled, state.gate.holds(user) && !reserved, user);
      addIf(rows, state.ledger.has(user), user);
    }
    long stock = state.gate.stock == Gate.ABSENT ? StoreState.MISSING : state.gate.stock;
    return stock == books.gateStock()
        && settled.equals(books.gateUsers())
        && open.equals(books.reservations())
        && rows.equals(books.rowsByUser().keySet())
        && state.ledger.counter == books.counter();
  }

  private void addIf(Set<String> set, boolean condition, int user) {
    if (condition) {
      set.add(users.get(user));
    }
  }
}
