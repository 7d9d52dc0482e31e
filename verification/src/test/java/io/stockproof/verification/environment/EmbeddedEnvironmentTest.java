package io.stockproof.verification.environment;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class EmbeddedEnvironmentTest {

  private static final EnvironmentOptions EMBEDDED =
      EnvironmentOptions.defaults().withChoice(EnvironmentOptions.Choice.EMBEDDED);

  @Test
  void bothServersReportTheirVersions() throws Exception {
    long started = System.nanoTime();
    try (Environment environment = Environments.open(EMBEDDED);
        PooledEndpoints endpoints = environment.endpoints(2);
        Connection connection = endpoints.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select current_user()")) {
      System.out.println("ready in ms " + (System.nanoTime() - started) / 1_000_000);
      assertThat(environment.redis().version()).isEqualTo("7.0.15");
      assertThat(environment.database().title()).isEqualTo("MariaDB 11.4.5");
      assertThat(result.next()).isTrue();
      assertThat(result.getString(1)).isEqualTo("stockproof@%");
    }
  }
}
