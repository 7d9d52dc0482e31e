package io.stockproof.verification.explore;

import io.stockproof.verification.Scenario;
import java.util.List;

/**
 * A run as a list of numbers, such as a property-based testing library draws and shrinks them.
 *
 * @param scenario what is asked
 * @param faults which commands meet which fault; one that is never reached does nothing
 * @param choices the n-th says which of those who can go at step n goes, counted from whoever went
 *     last; 0 is to go on without a switch, and so is what is beyond the list
 */
public record Drawn(Scenario scenario, List<Token.Fault> faults, List<Integer> choices) {

  /** Copies the lists. */
  public Drawn {
    faults = List.copyOf(faults);
    choices = List.copyOf(choices);
  }

  FaultPlan plan() {
    return new FaultPlan(
        faults.stream().map(f -> new FaultPlan.Strike(f.actor(), f.command(), f.fault())).toList());
  }

  Chooser chooser() {
    return new Chooser() {
      private int last = -1;

      @Override
      public int choose(int step, List<Option> options) {
        int from = 0;
        for (int i = 0; i < options.size(); i++) {
          if (options.get(i).actor() == last) {
            from = i;
          }
        }
        int choice = step < choices.size() ? Math.abs(choices.get(step)) : 0;
        last = options.get((from + choice) % options.size()).actor();
        return last;
      }
    };
  }
}
