package io.stockproof.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class FaultsTest {

  @Test
  void no_two_faults_or_families_have_the_same_name() {
    assertThat(Faults.names()).doesNotHaveDuplicates();
  }

  @Test
  void every_family_has_a_fault_and_its_name_means_all_of_them() {
    for (FaultFamily family : FaultFamily.values()) {
      assertThat(Faults.named(family.title())).isNotEmpty().isEqualTo(Faults.of(family));
    }
  }

  @Test
  void a_fault_is_found_by_its_name() {
    assertThat(Faults.named("redis-freeze")).containsExactly(ServerFault.REDIS_FREEZE);
  }

  @Test
  void an_unknown_name_is_told_with_what_is_allowed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Faults.named("redis-melt"))
        .withMessageContainingAll("'redis-melt'", "redis-loss", "redis-freeze");
  }

  @Test
  void the_documentation_names_every_fault() throws Exception {
    String text = Files.readString(Path.of("..", "docs", "chaos.md"));

    assertThat(Faults.names()).allSatisfy(name -> assertThat(text).contains("`" + name + "`"));
  }
}
