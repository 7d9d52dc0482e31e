package io.stockproof.verification;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LeaseKeysTest {

  @Test
  void every_prefix_that_was_added_is_private_and_the_locks_stay() {
    LeaseKeys keys = LeaseKeys.of("lock:%d").besides("latch:").besides("memory:");

    assertThat(keys.isPrivate("latch:1")).isTrue();
    assertThat(keys.isPrivate("memory:1")).isTrue();
    assertThat(keys.isPrivate("lock:7")).isFalse();
    assertThat(keys.of(7)).containsExactly("lock:7");
  }
}
