package io.stockproof.verification.subjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SettingsTest {

  @Test
  void retries_are_as_published_unless_said_otherwise() {
    assertThat(RetrySettings.asPublished())
        .isEqualTo(new RetrySettings(30, Duration.ofMillis(5), 42));
    assertThat(RetrySettings.asPublished().withRetries(1).retries()).isEqualTo(1);
  }

  @Test
  void what_makes_no_sense_is_refused_by_name() {
    assertThatThrownBy(() -> RetrySettings.asPublished().withRetries(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("retries must be 0 or more, was -1");
    assertThatThrownBy(() -> new RetrySettings(1, Duration.ofMillis(-5), 42))
        .hasMessage("pause must not be negative, was PT-0.005S");
    assertThatThrownBy(() -> LockSettings.failFast(Duration.ofNanos(999)))
        .hasMessage("lease must be 1 ms or more, was PT0.000000999S");
    assertThatThrownBy(
            () -> LockSettings.failFast(Duration.ofSeconds(1)).waiting(Duration.ofMillis(-1)))
        .hasMessage("patience must not be negative, was PT-0.001S");
  }

  @Test
  void only_who_lacks_a_unique_key_can_be_given_one() {
    assertThat(Subjects.named("pessimistic+unique")).isPresent();
    assertThat(Subjects.named("lua-gate+unique")).isEmpty();
    assertThat(Subjects.named("nobody+unique")).isEmpty();
    assertThat(Subjects.named("pessimistic+unique+unique")).isEmpty();
    Subjects.all()
        .forEach(
            entry -> {
              boolean unique = entry.make().get().hasUniqueKey();
              assertThat(entry.withUniqueKey().isPresent()).as(entry.name()).isEqualTo(!unique);
            });
  }
}
