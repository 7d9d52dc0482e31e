package io.stockproof.chaos;

import io.stockproof.verification.Subject;
import io.stockproof.verification.subjects.Subjects;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * The core in four JVMs that are killed, or have wrong clocks: {@code -Pchaos-crash}, {@code
 * -Pchaos-clock}.
 */
@Tag("chaos")
final class StockproofJvmsTest extends ChaosContract {
  @Override
  protected Subject subject() {
    return Subjects.inService("stockproof").orElseThrow().get();
  }

  @Override
  protected CampaignSettings settings() {
    return super.settings().lasting(Duration.ofSeconds(30)).loadedWith(50, 4).inOwnJvms();
  }

  @Override
  protected List<Fault> faults() {
    return super.faults().stream().filter(InstanceFault.class::isInstance).toList();
  }
}
