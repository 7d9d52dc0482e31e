package io.stockproof.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A command that comes as a fault ends goes its way: nobody would let it go later. */
final class HeldCommandsTest {
  private final HeldCommands<String> held = new HeldCommands<>();

  @Test
  void whatIsHeldComesBackInOrder() {
    assertThat(held.hold("first")).isTrue();
    assertThat(held.hold("second")).isTrue();

    assertThat(held.release()).containsExactly("first", "second");
    assertThat(held.release()).isEmpty();
  }

  @Test
  void nothingIsHeldOnceItIsOver() {
    held.release();

    assertThat(held.hold("late")).isFalse();
    assertThat(held.release()).isEmpty();
  }
}
