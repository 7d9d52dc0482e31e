package io.stockproof.verification.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Capability;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.history.History;
import java.util.EnumSet;
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

  /** The rules on answers, on runs that have no probes: the states of many moments. */
  @Property(tries = 3000)
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  void rules_on_answers_say_what_their_words_say(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int total) {
    compareAll(
        RandomHistory.exact(seed, total), EnumSet.of(Rule.R201, Rule.R302, Rule.R303, Rule.R304));
  }

  /**
   * Every rule, three-valued, on runs with rest and probes. Each rule gives each of its answers:
   * what never happens would be compared in vain.
   */
  @Property(tries = 6000)
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

  @Property(tries = 3000)
  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  void what_stress_calls_broken_is_broken(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 3) int total) {
    History exact = RandomHistory.exact(seed, total);
    History sampled = RandomHistory.sampledOf(exact);
    for (Rule rule : List.of(Rule.R303, Rule.R304)) {
      boolean called = violated(rule, sampled);
      Statistics.label(rule.id()).collect(called).coverage(BruteForceTest::calledBroken);
      if (called) {
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

  private static void calledBroken(StatisticsCoverage seen) {
    seen.check(true).count(times -> times > 0);
  }

  private static boolean violated(Rule rule, History history) {
    return Histories.judge(rule, history).verdict() == Verdict.VIOLATED;
  }
}
