package io.stockproof.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FaultPlanTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void the_same_seed_gives_the_same_plan_and_another_seed_another() {
    FaultPlan plan = FaultPlan.random(Faults.all(), MINUTE, 7);

    assertThat(FaultPlan.random(Faults.all(), MINUTE, 7)).isEqualTo(plan);
    assertThat(FaultPlan.random(Faults.all(), MINUTE, 8).strikes()).isNotEqualTo(plan.strikes());
  }

  @Test
  void no_fault_begins_before_the_one_before_it_has_ended() {
    for (long seed = 0; seed < 50; seed++) {
      List<FaultPlan.Strike> strikes = FaultPlan.random(Faults.all(), MINUTE, seed).strikes();

      for (int i = 1; i < strikes.size(); i++) {
        assertThat(strikes.get(i).at())
            .as("seed %d", seed)
            .isGreaterThan(strikes.get(i - 1).until());
      }
    }
  }

  @Test
  void the_last_fault_leaves_time_to_recover() {
    for (long seed = 0; seed < 50; seed++) {
      assertThat(FaultPlan.random(Faults.all(), MINUTE, seed).lastEnd())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(MINUTE.minusSeconds(4));
    }
  }

  @Test
  void each_fault_in_turn_has_a_calm_time_before_and_a_longer_one_after() {
    FaultPlan plan = FaultPlan.inTurn(Faults.of(FaultFamily.REDIS_PAUSE), MINUTE, 1);

    Duration previous = Duration.ZERO;
    for (FaultPlan.Strike strike : plan.strikes()) {
      assertThat(strike.at()).isGreaterThan(previous);
      previous = strike.until();
    }
    assertThat(plan.strikes())
        .extracting(FaultPlan.Strike::fault)
        .isEqualTo(Faults.of(FaultFamily.REDIS_PAUSE));
    assertThat(plan.lastEnd()).isLessThan(MINUTE.minusSeconds(4));
  }

  @Test
  void too_little_time_for_so_many_faults_is_refused_with_the_time_that_is_needed() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> FaultPlan.inTurn(Faults.of(FaultFamily.NETWORK), Duration.ofSeconds(5), 1))
        .withMessageContaining("must be 24 s or more for 6 faults, was 5 s");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FaultPlan.random(Faults.all(), Duration.ofSeconds(4), 1))
        .withMessageContaining("was 4 s");
  }
}
