package io.stockproof.verification.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.Capability;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsCoverage;
import net.jqwik.api.statistics.StatisticsReport;

/** The checkers against the words of the rules, taken literally. */
final class BruteForceTest {
  private static final List<Verdict> ANSWERS =
      List.of(Verdict.PASS, Verdict.VIOLATED, Verdict.INCONCLUSIVE);

  @Property(tries = 2000)
  void R303_says_what_its_words_say(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int total) {
    History history = RandomHistory.exact(seed, total);
    compare(Rule.R303, history, IssueOutcome.SOLD_OUT, call -> everFull(history, call));
  }

  @Property(tries = 2000)
  void R304_says_what_its_words_say(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int total) {
    History history = RandomHistory.exact(seed, total);
    compare(Rule.R304, history, IssueOutcome.DUPLICATE, call -> everHolder(history, call));
  }

  @Property(tries = 2000)
  void R201_and_R302_say_what_their_words_say(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int total) {
    History history = RandomHistory.exact(seed, total);
    assertThat(violated(Rule.R201, history)).isEqualTo(answersDisagree(history));
    assertThat(violated(Rule.R302, history)).isEqualTo(refusedWithRow(history));
  }

  /**
   * Every rule, three-valued, on runs with rest and probes. Each rule gives each of its answers:
   * what never happens would be compared in vain.
   */
  @Property(tries = 3000)
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  void each_rule_says_what_its_words_say(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int total) {
    History history = WildHistory.of(seed, total);
    compareAll(history, EnumSet.complementOf(EnumSet.of(Rule.R504)));
  }

  /** A stall takes more than luck to come about. */
  @Property(tries = 3000)
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  void R504_says_what_its_words_say(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int total) {
    compareAll(StallHistory.of(seed, total), EnumSet.of(Rule.R504));
  }

  @Property(tries = 2000)
  void what_stress_calls_broken_is_broken(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int total) {
    History exact = RandomHistory.exact(seed, total);
    History sampled = RandomHistory.sampledOf(exact);
    for (Rule rule : List.of(Rule.R303, Rule.R304)) {
      if (violated(rule, sampled)) {
        assertThat(violated(rule, exact)).as(rule.id()).isTrue();
      }
    }
  }

  private static void compareAll(History history, Set<Rule> reached) {
    Reference reference = new Reference(history);
    for (Finding finding : Rules.judge(history, EnumSet.allOf(Capability.class))) {
      Rule rule = finding.rule();
      assertThat(finding.verdict())
          .as(() -> finding + " of " + history)
          .isEqualTo(reference.verdict(rule));
      if (reached.contains(rule)) {
        Statistics.label(rule.id()).collect(finding.verdict()).coverage(BruteForceTest::eachAnswer);
      }
    }
  }

  private static void eachAnswer(StatisticsCoverage seen) {
    for (Verdict verdict : ANSWERS) {
      seen.check(verdict).count(times -> times > 0);
    }
  }

  private interface Judge {
    boolean holds(Call call);
  }

  private static void compare(Rule rule, History history, IssueOutcome told, Judge judge) {
    List<Call> calls = history.calls().stream().filter(c -> c.outcome() == told).toList();
    Verdict verdict = Histories.judge(rule, history).verdict();
    if (calls.isEmpty()) {
      assertThat(verdict).isEqualTo(Verdict.INCONCLUSIVE);
    } else {
      boolean all = calls.stream().allMatch(judge::holds);
      assertThat(verdict).isEqualTo(all ? Verdict.PASS : Verdict.VIOLATED);
    }
  }

  private static boolean violated(Rule rule, History history) {
    return Histories.judge(rule, history).verdict() == Verdict.VIOLATED;
  }

  /** The states that held at some moment of a call, one moment after the other. */
  private static List<StoreState> statesDuring(History history, Call call) {
    List<StoreState> states = new ArrayList<>();
    long end = Math.min(call.end(), 1_000);
    for (long moment = call.start(); moment <= end; moment++) {
      StoreState now = history.books().get(0).state();
      for (Books books : history.books()) {
        if (books.moment() <= moment) {
          now = books.state();
        }
      }
      states.add(now);
    }
    return states;
  }

  private static boolean everFull(History history, Call call) {
    return statesDuring(history, call).stream()
        .anyMatch(
            state -> {
              Set<String> others = new HashSet<>(state.reservations());
              others.addAll(state.gateUsers());
              others.removeIf(user -> state.rowsByUser().containsKey(user));
              others.remove(call.userId());
              return state.rows() + others.size() >= history.scenario().total();
            });
  }

  private static boolean everHolder(History history, Call call) {
    return statesDuring(history, call).stream()
        .anyMatch(state -> state.rowsByUser().containsKey(call.userId()));
  }

  private static boolean mayHaveWritten(Call call) {
    return call.outcome() == null
        || call.outcome() == IssueOutcome.ISSUED
        || call.outcome() == IssueOutcome.UNKNOWN;
  }

  private static boolean answersDisagree(History history) {
    StoreState atRest = java.util.Objects.requireNonNull(history.atRest());
    Set<String> users = new HashSet<>(atRest.rowsByUser().keySet());
    history.calls().forEach(call -> users.add(call.userId()));
    for (String user : users) {
      long rows = atRest.rowsByUser().getOrDefault(user, 0L);
      List<Call> calls = history.calls().stream().filter(c -> c.userId().equals(user)).toList();
      long issued = calls.stream().filter(c -> c.outcome() == IssueOutcome.ISSUED).count();
      boolean writer = calls.stream().anyMatch(BruteForceTest::mayHaveWritten);
      if (issued > rows || (rows > 0 && !writer)) {
        return true;
      }
    }
    return wroteThoughRefused(history);
  }

  private static boolean wroteThoughRefused(History history) {
    return history.calls().stream()
        .anyMatch(call -> Boolean.TRUE.equals(call.wroteRow()) && !mayHaveWritten(call));
  }

  private static boolean refusedWithRow(History history) {
    StoreState atRest = java.util.Objects.requireNonNull(history.atRest());
    for (Call call : history.calls()) {
      boolean allRefused =
          history.calls().stream()
              .filter(other -> other.userId().equals(call.userId()))
              .noneMatch(BruteForceTest::mayHaveWritten);
      if (allRefused && atRest.rowsByUser().containsKey(call.userId())) {
        return true;
      }
    }
    return wroteThoughRefused(history);
  }
}
