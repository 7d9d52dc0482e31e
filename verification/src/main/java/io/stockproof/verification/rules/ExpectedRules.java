package io.stockproof.verification.rules;

import java.util.EnumSet;
import java.util.Set;

/**
 * The rules a baseline is known to break. R701 repeats the others and is not listed.
 *
 * @param calm with one instance and no fault
 * @param moreInstances also with two or more instances
 * @param faults also with faults
 * @param shownByStress those that threads alone show every time
 */
public record ExpectedRules(
    Set<Rule> calm, Set<Rule> moreInstances, Set<Rule> faults, Set<Rule> shownByStress) {

  /** Copies the sets. */
  public ExpectedRules {
    calm = Set.copyOf(calm);
    moreInstances = Set.copyOf(moreInstances);
    faults = Set.copyOf(faults);
    shownByStress = Set.copyOf(shownByStress);
  }

  /** Breaks nothing: every implementation but a baseline. */
  public static ExpectedRules none() {
    return new ExpectedRules(Set.of(), Set.of(), Set.of(), Set.of());
  }

  /** Whether it is known to break anything at all. */
  public boolean isBaseline() {
    return !calm.isEmpty() || !moreInstances.isEmpty() || !faults.isEmpty();
  }

  /** What may be broken in a run of this kind. */
  public Set<Rule> in(int instances, boolean faulted) {
    Set<Rule> rules = EnumSet.noneOf(Rule.class);
    rules.addAll(calm);
    if (instances > 1) {
      rules.addAll(moreInstances);
    }
    if (faulted) {
      rules.addAll(faults);
    }
    if (instances > 1 && !rules.isEmpty()) {
      rules.add(Rule.R701);
    }
    return rules;
  }
}
