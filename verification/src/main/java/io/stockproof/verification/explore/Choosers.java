package io.stockproof.verification.explore;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Ways to choose that need no memory of earlier runs. */
final class Choosers {

  private Choosers() {}

  /** Each of the options with the same chance. */
  static Chooser random(long seed) {
    Random random = new Random(seed);
    return (step, options) -> options.get(random.nextInt(options.size())).actor();
  }

  /**
   * Probabilistic concurrency testing: the actor with the highest priority goes on; at a few random
   * steps the one who would go falls behind all others. Finds a bug that needs {@code depth}
   * ordered steps with a known least chance (Burckhardt and others, ASPLOS 2010).
   *
   * @param depth 1 or more; 1 never changes a priority
   * @param length about how many steps a run has
   */
  static Chooser pct(long seed, int depth, int length) {
    Random random = new Random(seed);
    Set<Integer> changes = new HashSet<>();
    for (int i = 1; i < depth; i++) {
      changes.add(random.nextInt(Math.max(1, length)));
    }
    return new Chooser() {
      private final List<Integer> ranking = new ArrayList<>();

      @Override
      public int choose(int step, List<Option> options) {
        for (Option option : options) {
          if (!ranking.contains(option.actor())) {
            ranking.add(random.nextInt(ranking.size() + 1), option.actor());
          }
        }
        int first = highest(options);
        if (changes.contains(step)) {
          ranking.remove(Integer.valueOf(first));
          ranking.add(first);
          first = highest(options);
        }
        return first;
      }

      private int highest(List<Option> options) {
        return ranking.stream()
            .filter(actor -> options.stream().anyMatch(o -> o.actor() == actor))
            .findFirst()
            .orElseThrow();
      }
    };
  }

  /** Follows an order as far as it can, then lets whoever went last go on. */
  static Following following(List<Integer> order) {
    return new Following(order);
  }

  /** See {@link #following}. */
  static final class Following implements Chooser {
    private final List<Integer> order;
    private int last = -1;
    private int leftAt = -1;

    private Following(List<Integer> order) {
      this.order = List.copyOf(order);
    }

    @Override
    public int choose(int step, List<Option> options) {
      if (step < order.size() && canGo(order.get(step), options)) {
        last = order.get(step);
        return last;
      }
      if (leftAt < 0) {
        leftAt = step;
      }
      int wanted = last;
      last = canGo(wanted, options) ? wanted : options.get(0).actor();
      return last;
    }

    private static boolean canGo(int actor, List<Option> options) {
      return options.stream().anyMatch(o -> o.actor() == actor);
    }

    /** First step at which the order could not be followed, or -1. */
    int leftAt() {
      return leftAt;
    }
  }
}
