package io.stockproof.verification.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.environment.EnvironmentOptions.Choice;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EmbeddedEnvironmentTest extends EnvironmentContract {

  private static final EnvironmentOptions EMBEDDED =
      EnvironmentOptions.defaults().withChoice(Choice.EMBEDDED);

  private Environment environment;

  @BeforeAll
  void open() {
    environment = Environments.open(EMBEDDED);
  }

  @AfterAll
  void close() {
    environment.close();
  }

  @Override
  Environment environment() {
    return environment;
  }

  @Test
  void theServersAreTheOnesOnTheClassPath() {
    assertThat(environment.kind()).isEqualTo(Environment.Kind.EMBEDDED);
    assertThat(environment.redis().version()).isEqualTo("7.0.15");
    assertThat(environment.database().title()).isEqualTo("MariaDB 11.4.5");
  }

  /** A server that starts removes the temporary files it finds: none may find another's. */
  @Test
  void temporaryFilesAreApartFromThoseOfOtherServers() throws Exception {
    Path data = Path.of(Sql.value(environment.admin(), "SELECT @@datadir"));
    assertThat(Path.of(Sql.value(environment.admin(), "SELECT @@tmpdir"))).isEqualTo(data);
  }

  @Test
  void snapshotIsolationIsOffUntilItIsSwitchedOn() throws Exception {
    assertThat(snapshotIsolationOfANewSession()).isEqualTo("0");
    environment.snapshotIsolation(true);
    assertThat(snapshotIsolationOfANewSession()).isEqualTo("1");
    environment.snapshotIsolation(false);
    assertThat(snapshotIsolationOfANewSession()).isEqualTo("0");
  }

  private String snapshotIsolationOfANewSession() throws SQLException {
    try (PooledEndpoints endpoints = environment.endpoints(1)) {
      return Sql.value(endpoints.dataSource(), "SELECT @@innodb_snapshot_isolation");
    }
  }

  @Test
  void nothingIsLeftAfterClose() throws Exception {
    EnvironmentOptions options = EMBEDDED.withDurable(false).withSnapshotIsolation(true);
    Path data;
    PooledEndpoints endpoints;
    Environment other = Environments.open(options);
    try (other) {
      endpoints = other.endpoints(1);
      data = Path.of(Sql.value(other.admin(), "SELECT @@datadir"));
      assertThat(data).isDirectory();
      assertThat(Sql.value(other.admin(), "SELECT @@GLOBAL.innodb_flush_log_at_trx_commit"))
          .isEqualTo("0");
      assertThat(Sql.value(other.admin(), "SELECT @@GLOBAL.innodb_snapshot_isolation"))
          .isEqualTo("1");
    }
    assertThat(endpoints.dataSource().isClosed()).isTrue();
    assertThat(Files.exists(data.resolve(".."))).isFalse();
    other.close();
  }

  @Test
  void mysqlIsNotThereEmbedded() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Environments.open(EMBEDDED.withDatabase(Product.MYSQL)))
        .withMessage(
            "stockproof.database must be mariadb where stockproof.environment is embedded,"
                + " was 'mysql': MySQL runs in containers only");
  }

  @Test
  void otherPlatformsAreToldWhatToDo() {
    assertThat(Platform.of("Linux", "amd64")).isPresent();
    assertThat(Platform.of("Mac OS X", "aarch64")).isPresent();
    assertThat(Platform.of("Mac OS X", "x86_64")).isEmpty();
    assertThat(Platform.of("Linux", "aarch64")).isEmpty();
    assertThat(Platform.of("Windows 11", "amd64")).isEmpty();
  }
}
