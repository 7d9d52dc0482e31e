package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of requests that nothing tells apart, only one order of the starts is tried. */
final class SharedInstancesTest {

  private static SharedInstances of(FaultPlan plan, Request... requests) {
    return new SharedInstances(new Scenario(1, 2, 2, List.of(requests)), plan);
  }

  @Test
  void theSameUserOnTheSameInstanceIsATwin() {
    SharedInstances shared =
        of(FaultPlan.CALM, new Request("A", 0), new Request("B", 0), new Request("A", 0));

    assertThat(shared.twinBefore(0)).isNull();
    assertThat(shared.twinBefore(1)).isNull();
    assertThat(shared.twinBefore(2)).isZero();
  }

  @Test
  void ofThreeEachComesAfterTheOneBefore() {
    SharedInstances shared =
        of(FaultPlan.CALM, new Request("A", 0), new Request("A", 0), new Request("A", 0));

    assertThat(shared.twinBefore(1)).isZero();
    assertThat(shared.twinBefore(2)).isEqualTo(1);
  }

  @Test
  void anotherInstanceTellsThemApart() {
    SharedInstances shared =
        of(FaultPlan.CALM, new Request("A", 0), new Request("A", 1), new Request("B", 0));

    assertThat(shared.twinBefore(1)).isNull();
  }

  @Test
  void aFaultTellsThemApart() {
    FaultPlan.Strike strike = new FaultPlan.Strike(0, 1, CommandFault.REPLY_LOST);
    FaultPlan plan = new FaultPlan(List.of(strike));
    SharedInstances shared = of(plan, new Request("A", 0), new Request("A", 0));

    assertThat(shared.twinBefore(1)).isNull();
  }
}
