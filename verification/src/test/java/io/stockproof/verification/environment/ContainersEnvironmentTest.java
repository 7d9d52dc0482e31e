package io.stockproof.verification.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stockproof.verification.environment.EnvironmentOptions.Choice;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Runs where an engine has the images; says so where not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ContainersEnvironmentTest extends EnvironmentContract {

  private Environment environment;

  @BeforeAll
  void open() {
    EnvironmentOptions options = LocalDocker.assumeImages();
    environment = Environments.open(options.withChoice(Choice.CONTAINERS));
  }

  @AfterAll
  void close() {
    if (environment != null) {
      environment.close();
    }
  }

  @Override
  Environment environment() {
    return environment;
  }

  @Test
  void theServersAreContainers() {
    assertThat(environment.kind()).isEqualTo(Environment.Kind.CONTAINERS);
    assertThat(environment.database().product().title())
        .isEqualTo(LocalDocker.options().containerProduct().title());
  }

  @Test
  void mysqlHasNoSnapshotIsolationToSwitchOn() {
    environment.snapshotIsolation(false);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> environment.snapshotIsolation(true))
        .withMessageContaining("a variable of MariaDB");
  }
}
