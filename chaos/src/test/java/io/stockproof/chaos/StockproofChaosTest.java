package io.stockproof.chaos;

import io.stockproof.verification.Subject;
import io.stockproof.verification.subjects.Subjects;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** The core under every fault of the families that a profile names: {@code -Pchaos-redis-loss}. */
@Tag("chaos")
final class StockproofChaosTest extends ChaosContract {
  @Override
  protected Subject subject() {
    return Subjects.inService("stockproof").orElseThrow().get();
  }

  @Override
  protected List<Fault> faults() {
    return super.faults().stream().filter(fault -> !(fault instanceof InstanceFault)).toList();
  }
}
