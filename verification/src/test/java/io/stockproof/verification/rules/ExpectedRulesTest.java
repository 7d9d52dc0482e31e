package io.stockproof.verification.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

final class ExpectedRulesTest {
  private static final ExpectedRules ALL =
      new ExpectedRules(Set.of(Rule.R303), Set.of(Rule.R101), Set.of(Rule.R202), Set.of());

  private static ExpectedRules only(Set<Rule> calm, Set<Rule> instances, Set<Rule> faults) {
    return new ExpectedRules(calm, instances, faults, Set.of());
  }

  @Test
  void what_breaks_in_calm_breaks_in_every_run() {
    assertThat(ALL.in(1, false)).containsExactly(Rule.R303);
  }

  @Test
  void two_instances_and_faults_break_more() {
    assertThat(ALL.in(1, true)).containsExactlyInAnyOrder(Rule.R303, Rule.R202);
    assertThat(ALL.in(2, false)).containsExactlyInAnyOrder(Rule.R303, Rule.R101, Rule.R701);
    assertThat(ALL.in(2, true))
        .containsExactlyInAnyOrder(Rule.R303, Rule.R101, Rule.R202, Rule.R701);
  }

  @Test
  void R701_is_broken_only_if_another_rule_is() {
    assertThat(only(Set.of(), Set.of(), Set.of(Rule.R202)).in(2, false)).isEmpty();
  }

  @Test
  void whatever_is_known_to_break_a_rule_is_a_baseline() {
    assertThat(ExpectedRules.none().isBaseline()).isFalse();
    assertThat(only(Set.of(Rule.R303), Set.of(), Set.of()).isBaseline()).isTrue();
    assertThat(only(Set.of(), Set.of(Rule.R101), Set.of()).isBaseline()).isTrue();
    assertThat(only(Set.of(), Set.of(), Set.of(Rule.R202)).isBaseline()).isTrue();
  }
}
