package io.stockproof.verification.gallery;

import io.stockproof.verification.Capability;
import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.history.History;
import io.stockproof.verification.rules.Finding;
import io.stockproof.verification.rules.Rule;
import io.stockproof.verification.rules.Rules;
import io.stockproof.verification.stress.StressRun;
import io.stockproof.verification.stress.StressSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * What threads alone find: 1,000 requests of 800 users at once on 50 threads, for a stock of 100,
 * ten times over with requests in another order; every second time on two instances, if the mutant
 * claims several. Luck is believed if any run breaks any MUST rule, not only the expected one.
 */
public final class Luck {
  /** Most runs of a mutant. */
  public static final int RUNS = 10;

  private static final int USERS = 800;
  private static final int REQUESTS = 1000;
  private static final long TOTAL = 100;
  private static final long FIRST_COUPON = 600_000_000;

  private Luck() {}

  /**
   * Tries one mutant until it is found.
   *
   * @return the number of the run that found it, from 1; 0 if none did
   * @throws Exception if a store does not answer
   */
  public static int runThatFinds(Mutant mutant, Environment environment, long seed)
      throws Exception {
    try (Subject subject = mutant.make().get()) {
      boolean several = subject.capabilities().contains(Capability.MULTI_INSTANCE);
      for (int run = 1; run <= RUNS; run++) {
        int instances = several && run % 2 == 0 ? 2 : 1;
        StressSettings settings = StressSettings.defaults().withSeed(seed + run);
        for (History history :
            StressRun.run(environment, subject, List.of(scenario(run, instances)), settings)) {
          if (Rules.judge(history, subject.capabilities()).stream().anyMatch(Luck::breaksMust)) {
            return run;
          }
        }
      }
      return 0;
    }
  }

  private static boolean breaksMust(Finding finding) {
    return finding.verdict() == Verdict.VIOLATED && finding.rule().strength() == Rule.Strength.MUST;
  }

  private static Scenario scenario(int run, int instances) {
    List<Request> requests = new ArrayList<>(REQUESTS);
    for (int i = 0; i < REQUESTS; i++) {
      String user = Integer.toString(Scenario.FIRST_USER + i % USERS);
      requests.add(new Request(user, i % instances));
    }
    return new Scenario(FIRST_COUPON + run, TOTAL, instances, requests);
  }
}
