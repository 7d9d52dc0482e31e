package io.stockproof.verification.explore;

import io.stockproof.verification.Capability;
import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * One search of a verification.
 *
 * @param title for people
 * @param scenario what is asked
 * @param choices what else than the order is a choice
 * @param maxFaults most of those in one run
 */
public record SearchPlan(String title, Scenario scenario, Choices choices, int maxFaults) {

  /** Faults alone beside the order. */
  public SearchPlan(String title, Scenario scenario, Set<CommandFault> faults, int maxFaults) {
    this(title, scenario, Choices.of(faults), maxFaults);
  }

  /**
   * The searches that every verification makes, the smallest first. Every set holds repeats of one
   * user, on one instance and on several.
   *
   * @param capabilities what the subject claims
   */
  public static List<SearchPlan> standard(Set<Capability> capabilities) {
    Set<CommandFault> all = EnumSet.allOf(CommandFault.class);
    Set<CommandFault> expiries =
        EnumSet.of(
            CommandFault.KEY_EXPIRY, CommandFault.FIRST_KEY_EXPIRY, CommandFault.LAST_KEY_EXPIRY);
    List<SearchPlan> plans = new ArrayList<>();
    plans.add(calm("2 users, stock 1", 1, false, "A", "B"));
    plans.add(calm("one user twice, stock 2", 2, false, "A", "A"));
    plans.add(calm("1 user, stock 12", 12, false, "A"));
    if (!capabilities.contains(Capability.NUMERIC_IDS)) {
      plans.add(new SearchPlan("users Ab and ab, stock 2", casesDiffer(), Set.of(), 0));
    }
    if (capabilities.contains(Capability.MULTI_INSTANCE)) {
      plans.add(calm("2 users, stock 1, 2 instances", 1, true, "A", "B"));
      plans.add(calm("one user twice, stock 2, 2 instances", 2, true, "A", "A"));
      plans.add(
          new SearchPlan("2 users, stock 1, a key expires", of(1, true, "A", "B"), expiries, 1));
    }
    if (capabilities.contains(Capability.WINDOW)) {
      for (Scenario.Window window : EnumSet.complementOf(EnumSet.of(Scenario.Window.OPEN))) {
        String title = "1 user, coupon " + window.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        plans.add(new SearchPlan(title, of(1, false, "A").when(window), Set.of(), 0));
      }
    }
    if (capabilities.contains(Capability.OPENING)) {
      boolean apart = capabilities.contains(Capability.MULTI_INSTANCE);
      plans.add(new SearchPlan("2 users, stock 1, opened again", openedAgain(apart), Set.of(), 0));
    }
    plans.add(new SearchPlan("1 user, one fault", of(2, false, "A"), all, 1));
    plans.add(
        new SearchPlan(
            "1 user, error 1213 and a crash",
            of(2, false, "A"),
            EnumSet.of(CommandFault.ERROR_1213, CommandFault.CRASH),
            2));
    if (capabilities.contains(Capability.RECOVERY_ON_DEMAND)) {
      Choices recoveries = new Choices(Set.of(), EnumSet.allOf(Recovery.class));
      plans.add(new SearchPlan("1 user, recovery beside", of(2, false, "A"), recoveries, 1));
    }
    if (capabilities.contains(Capability.MULTI_INSTANCE)) {
      Set<CommandFault> others = EnumSet.allOf(CommandFault.class);
      others.removeAll(expiries);
      plans.add(
          new SearchPlan("2 users, stock 1, one other fault", of(1, true, "A", "B"), others, 1));
      plans.add(calm("A,A,B, stock 2, 3 instances", 2, true, "A", "A", "B"));
      plans.add(calm("3 users, stock 1, 3 instances", 1, true, "A", "B", "C"));
      // Nobody needs to go without: who does was sent away by contention (R206).
      plans.add(calm("3 users, stock 3, 3 instances", 3, true, "A", "B", "C"));
    }
    return plans;
  }

  private static Scenario openedAgain(boolean apart) {
    Scenario two = of(1, apart, "A", "B");
    int instances = apart ? 3 : 1;
    List<Request> requests = new ArrayList<>(two.requests());
    requests.add(Request.openAgain(instances - 1));
    return new Scenario(two.couponId(), two.total(), instances, requests);
  }

  private static SearchPlan calm(String title, long total, boolean apart, String... users) {
    return new SearchPlan(title, of(total, apart, users), Set.of(), 0);
  }

  private static Scenario casesDiffer() {
    return new Scenario(1, 2, 1, List.of(new Request("Ab", 0), new Request("ab", 0)));
  }

  private static Scenario of(long total, boolean apart, String... users) {
    return requests(List.of(users), total, apart ? users.length : 1);
  }

  /**
   * Requests by letters: {@code A,A,B} is two requests of one user and one of another, dealt to the
   * instances in turn.
   *
   * @param letters one a request, {@code A} to {@code Z}
   * @param total units on sale
   * @param instances application instances
   * @throws IllegalArgumentException if a letter is none
   */
  public static Scenario requests(List<String> letters, long total, int instances) {
    List<Request> requests = new ArrayList<>();
    for (String letter : letters) {
      if (!letter.matches("[A-Z]")) {
        throw new IllegalArgumentException(
            "requests are letters from A to Z, one a request, such as A,A,B; was '" + letter + "'");
      }
      int user = Scenario.FIRST_USER + letter.charAt(0) - 'A';
      requests.add(new Request(Integer.toString(user), requests.size() % instances));
    }
    return new Scenario(1, total, instances, requests);
  }
}
