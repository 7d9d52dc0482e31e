package io.stockproof.verification.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.environment.EnvironmentOptions.Choice;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EnvironmentOptionsTest {

  private static final String CHOICE = "stockproof.test.environment";
  private static final String DATABASE = "stockproof.test.database";

  @AfterEach
  void forget() {
    System.clearProperty(CHOICE);
    System.clearProperty(DATABASE);
  }

  @Test
  void byDefaultItIsChosenAndDurableAndWithoutSnapshotIsolation() {
    assertThat(EnvironmentOptions.defaults())
        .isEqualTo(
            new EnvironmentOptions(
                Choice.AUTO,
                Optional.empty(),
                "mysql:8.4",
                "mariadb:11.4",
                "redis:7.4",
                true,
                false,
                ExternalOptions.NONE));
  }

  @Test
  void aValueIsReadInAnyCase() {
    System.setProperty(CHOICE, " Embedded ");
    System.setProperty(DATABASE, "MySQL");
    assertThat(new Setting(CHOICE).choice(Choice.class)).contains(Choice.EMBEDDED);
    assertThat(new Setting(DATABASE).choice(Product.class)).contains(Product.MYSQL);
  }

  @Test
  void aBlankValueIsNoValue() {
    System.setProperty(CHOICE, " ");
    assertThat(new Setting(CHOICE).choice(Choice.class)).isEmpty();
  }

  @Test
  void aBadValueIsNamedWithWhatIsAllowed() {
    System.setProperty(CHOICE, "docker");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Setting(CHOICE).choice(Choice.class))
        .withMessage(
            "stockproof.test.environment (or STOCKPROOF_TEST_ENVIRONMENT) must be one of auto,"
                + " embedded, containers, external, was 'docker'");
    System.setProperty(DATABASE, "postgres");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Setting(DATABASE).choice(Product.class))
        .withMessageContaining("one of mysql, mariadb, was 'postgres'");
  }

  @Test
  void passwordsAreNotPrinted() {
    Credentials credentials = Credentials.random("somebody");
    assertThat(credentials.password()).hasSize(32);
    assertThat(credentials).hasToString("somebody");
  }
}
