package io.stockproof.verification.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.EnvironmentOptions.Choice;
import io.stockproof.verification.explore.Exploration;
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

  @Test
  void theSameServersMayBeUsedAsSomebodyElses() throws Exception {
    ForeignServers servers = new ForeignServers(environment);
    String schema = servers.newSchema();

    try (Environment external = ForeignServers.open(servers.external(schema, 5))) {
      assertThat(external.database().title()).isEqualTo(environment.database().title());
      assertThat(external.redis().version()).isEqualTo(environment.redis().version());
      Exploration found = ExternalEnvironmentTest.search(external, "lua-gate");
      assertThat(found.interleavings()).isGreaterThan(1);
      assertThat(found.verdict()).as("%s", found).isNotEqualTo(Verdict.INCONCLUSIVE);
    }

    assertThat(servers.tables(schema)).isEqualTo("null");
    assertThat(servers.keys(5)).isEmpty();
  }
}
