package io.stockproof.verification.explore;

import io.stockproof.verification.Request;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import io.stockproof.verification.wire.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All there is to draw of a run: the one source of its picture on a terminal and in a report. Holds
 * texts and numbers only, so that it can be written as JSON; component names are field names there
 * and are not renamed.
 *
 * @param stock units on sale
 * @param instances application instances
 * @param lanes one a request, then one a command that was delivered late
 * @param marks the steps, in order
 * @param before the books before the first step; null if they were not looked at
 * @param partsAt number of the step after which a rule was broken, from 1; less than 1 if only rest
 *     shows it
 * @param atRest the books when all was over; null if rest was not reached
 * @param probes who asked at rest, and what they were told
 * @param stall who waited for what, if nobody could go on; null otherwise
 */
public record Drawing(
    long stock,
    int instances,
    List<Lane> lanes,
    List<Mark> marks,
    @Nullable Books before,
    long partsAt,
    @Nullable Books atRest,
    List<Probe> probes,
    @Nullable String stall) {

  /** Copies the lists. */
  public Drawing {
    lanes = List.copyOf(lanes);
    marks = List.copyOf(marks);
    probes = List.copyOf(probes);
  }

  /**
   * A request, or a command delivered after its client gave up.
   *
   * @param letter A, B, C …
   * @param user who asked; empty for a late delivery; of what recovers beside the requests, its
   *     name in {@link Recovery#title}
   * @param opensAgain whether it opens the coupon again instead of asking for a unit
   * @param instance which was asked, from 0
   * @param late whether it is a late delivery
   * @param told outcome, or what came instead of one; null if nothing is known
   * @param endsAfter number of the step after which it ended; -1 if it never did
   */
  public record Lane(
      String letter,
      String user,
      boolean opensAgain,
      int instance,
      boolean late,
      @Nullable String told,
      int endsAfter) {
    /** What stands above the lane. */
    public String who() {
      return switch (new Request(user, instance).deed()) {
        case ASKS -> "user " + user;
        case OPENS_AGAIN -> "opens again";
        case RECONCILES -> "reconciler";
        case REBUILDS -> "rebuild";
      };
    }
  }

  /** What a step was. */
  public enum Kind {
    /** A request began. */
    START,
    /** A command to Redis. */
    REDIS,
    /** A statement to the database. */
    DATABASE
  }

  /**
   * A step.
   *
   * @param number from 1
   * @param lane index of its lane
   * @param kind what it was
   * @param text the command in a few words
   * @param statement the whole command, values filled in; null for a start
   * @param answer what the server answered, as far as it says something; null if it does not
   * @param fault name of the fault that was put in its place; null if none
   * @param faultMeaning what that fault does; null if there is none
   * @param settledAfter number of the step after which it was done; more than its own if it waited
   * @param waits who waited for a lock after it, as the server said
   * @param books the stores after it; null if they were not looked at
   */
  public record Mark(
      int number,
      int lane,
      Kind kind,
      String text,
      @Nullable String statement,
      @Nullable String answer,
      @Nullable String fault,
      @Nullable String faultMeaning,
      int settledAfter,
      List<Wait> waits,
      @Nullable Books books) {
    /** Copies the list. */
    public Mark {
      waits = List.copyOf(waits);
    }
  }

  /**
   * Somebody waits for a lock.
   *
   * @param lane index of who waits
   * @param holder index of the lane whose transaction holds it; -1 if the statements seen do not
   *     tell
   * @param row which, for example {@code coupon#1}; empty if not known
   */
  public record Wait(int lane, int holder, String row) {}

  /**
   * The books.
   *
   * @param gateStock units the gate has left; null if it holds none
   * @param gateUsers users in the gate
   * @param reservations open ones in the gate
   * @param rows issuance rows
   * @param counter of issued units beside the rows; null if the subject keeps none
   */
  public record Books(
      @Nullable Long gateStock,
      int gateUsers,
      int reservations,
      long rows,
      @Nullable Long counter) {

    static @Nullable Books of(@Nullable StoreState state) {
      return state == null
          ? null
          : new Books(
              state.gateStock() == StoreState.MISSING ? null : state.gateStock(),
              state.gateUsers().size(),
              state.reservations().size(),
              state.rows(),
              state.counter() < 0 ? null : state.counter());
    }
  }

  /**
   * Somebody who asked at rest.
   *
   * @param user who
   * @param fresh whether for the first time; else a user of the scenario asked again
   * @param told outcome, or what came instead of one
   */
  public record Probe(String user, boolean fresh, String told) {}

  /** A, B, C … for the requests of a run; late deliveries get the next letters. */
  static String letter(int actor) {
    return actor < 26 ? Character.toString((char) ('A' + actor)) : "R" + actor;
  }

  /** What there is to draw of a run. */
  static Drawing of(Run run, long partsAt) {
    History history = run.history();
    List<Mark> marks = new ArrayList<>();
    for (Step step : run.steps()) {
      marks.add(mark(step, marks.size() + 1));
    }
    return new Drawing(
        run.scenario().total(),
        run.scenario().instances(),
        lanes(run),
        marks,
        history == null || history.books().isEmpty()
            ? null
            : Books.of(history.books().get(0).state()),
        partsAt,
        history == null ? null : Books.of(history.atRest()),
        history == null ? List.of() : probes(history),
        run.stall());
  }

  private static List<Lane> lanes(Run run) {
    List<Lane> lanes = new ArrayList<>();
    run.scenario()
        .requests()
        .forEach(
            request -> {
              int actor = lanes.size();
              Call call = callOf(run.history(), actor);
              lanes.add(
                  new Lane(
                      letter(actor),
                      request.userId(),
                      request.deed() == Request.Deed.OPENS_AGAIN,
                      request.instance(),
                      false,
                      call == null ? null : told(call),
                      call == null || call.end() == Call.NEVER ? -1 : (int) call.end()));
            });
    int actors = 1 + run.steps().stream().mapToInt(Step::actor).max().orElse(0);
    while (lanes.size() < actors) {
      lanes.add(new Lane(letter(lanes.size()), "", false, 0, true, null, -1));
    }
    return lanes;
  }

  private static @Nullable Call callOf(@Nullable History history, int actor) {
    return history == null
        ? null
        : history.calls().stream()
            .filter(call -> call.id() == actor && call.phase() != Call.Phase.OPENS_AGAIN)
            .findFirst()
            .orElse(null);
  }

  private static String told(Call call) {
    if (call.outcome() != null) {
      return call.outcome().name();
    }
    if (call.phase() == Call.Phase.RECOVERS && call.error() == null && !call.cutOff()) {
      return call.end() == Call.NEVER ? "not done" : "done";
    }
    return call.cutOff() ? "cut off" : Objects.requireNonNullElse(call.error(), "no answer");
  }

  private static List<Probe> probes(History history) {
    return history.calls().stream()
        .filter(call -> call.phase() == Call.Phase.ASKS_AGAIN || call.phase() == Call.Phase.FRESH)
        .map(call -> new Probe(call.userId(), call.phase() == Call.Phase.FRESH, told(call)))
        .toList();
  }

  private static Mark mark(Step step, int number) {
    Words words = step.words();
    CommandFault fault = step.fault();
    String answer = answer(step);
    return new Mark(
        number,
        step.actor(),
        words == null ? Kind.START : words.redis() ? Kind.REDIS : Kind.DATABASE,
        words == null ? "starts" : words.redis() ? redis(words) : shortened(filled(words)),
        words == null ? null : words.redis() ? words.statement() : filled(words),
        answer.isEmpty() ? null : answer,
        fault == null ? null : fault.title(),
        fault == null ? null : fault.meaning(),
        step.settledAfter(),
        step.waiting().stream().map(w -> new Wait(w.actor(), w.holder(), w.row())).toList(),
        Books.of(step.books()));
  }

  /**
   * What the server answered, as far as it says something; dots if nothing came before the next
   * step.
   */
  static String answer(Step step) {
    Words words = step.words();
    Reply reply = step.reply();
    CommandFault fault = step.fault();
    if (words == null || (fault != null && fault.hidesReply())) {
      return "";
    }
    return reply == null ? "…" : answer(words, reply);
  }

  private static String answer(Words words, Reply reply) {
    if (reply.error()) {
      return reply.code() > 0 ? "error " + reply.code() : reply.text().replaceAll(" .*", "");
    }
    if (!reply.values().isEmpty()) {
      return reply.values().stream()
          .map(v -> Objects.requireNonNullElse(v, "null"))
          .collect(Collectors.joining(", "));
    }
    if (words.name().equals("UPDATE") && reply.affectedRows() == 0) {
      return "0 rows";
    }
    return words.name().equals("SELECT") && reply.rows() == 0 ? "none" : "";
  }

  private static String redis(Words words) {
    String keys =
        words.keys().stream()
            .map(key -> key.replaceAll("^coupon:\\{?1}?:", ""))
            .collect(Collectors.joining(" "));
    return words.name() + (keys.isEmpty() ? "" : " " + keys);
  }

  private static String filled(Words words) {
    String shown = words.statement().replaceAll("\\s+", " ").trim();
    StringBuilder filled = new StringBuilder();
    int next = 0;
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      if (c == '?' && next < words.parameters().size()) {
        filled.append(words.parameters().get(next++));
      } else {
        filled.append(c);
      }
    }
    return filled.toString();
  }

  private static String shortened(String sql) {
    return sql.replaceAll("(?i)INSERT INTO (\\S+) ?\\([^)]*\\) ?VALUES ?", "INSERT $1 ")
        .replaceAll("(?i)SELECT (.*?) FROM (\\S+) WHERE .*?( FOR UPDATE)?$", "SELECT $1 … $2$3");
  }
}
