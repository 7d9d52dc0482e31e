package io.stockproof.verification.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Capability;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.history.History;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What judging costs as histories grow, in processor time: what else runs does not count. */
final class ScalingTest {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int SMALL = 10_000;
  private static final int TIMES = 8;

  /** Linear would be 8 times as much, quadratic 64 times. */
  private static final double MOST = 24;

  @Test
  void judging_eight_times_the_requests_costs_about_eight_times_as_much() {
    History small = LargeHistory.of(SMALL);
    History large = LargeHistory.of(SMALL * TIMES);
    cost(small, 20);

    double ratio = (double) cost(large, 5) / cost(small, 20);

    assertThat(ratio).isLessThan(MOST);
  }

  @Test
  void a_large_history_reaches_the_rules_that_stress_judges() {
    List<Finding> findings = judge(LargeHistory.of(SMALL));

    assertThat(findings).noneMatch(f -> f.verdict() == Verdict.VIOLATED);
    assertThat(findings)
        .filteredOn(f -> f.verdict() == Verdict.PASS)
        .extracting(Finding::rule)
        .contains(
            Rule.R101, Rule.R102, Rule.R103, Rule.R201, Rule.R202, Rule.R203, Rule.R301, Rule.R302,
            Rule.R303, Rule.R304, Rule.R306, Rule.R307, Rule.R308, Rule.R309, Rule.R701);
  }

  /** The least of several times: the others were disturbed. */
  private static long cost(History history, int times) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < times; i++) {
      long before = THREADS.getCurrentThreadCpuTime();
      List<Finding> findings = judge(history);
      least = Math.min(least, THREADS.getCurrentThreadCpuTime() - before);
      assertThat(findings).isNotEmpty();
    }
    return least;
  }

  static List<Finding> judge(History history) {
    return Rules.judge(history, EnumSet.allOf(Capability.class));
  }
}
