package io.stockproof.reports.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.EnvironmentOptions;
import io.stockproof.verification.environment.EnvironmentOptions.Choice;
import io.stockproof.verification.environment.Environments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The commands on servers of the user's, which run already. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ExternalServersTest extends RunsCommands {
  private static final String REDIS_PASSWORD = "a-secret-of-redis";

  private Environment owner;
  private HikariDataSource admin;

  @BeforeAll
  void start() throws Exception {
    owner = Environments.open(EnvironmentOptions.defaults().withChoice(Choice.EMBEDDED));
    admin = (HikariDataSource) owner.admin();
    try (Connection connection = admin.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE shop");
      statement.execute("CREATE DATABASE other");
      statement.execute("CREATE TABLE other.member (id BIGINT)");
    }
    RedisClient client = RedisClient.create(owner.redis().uri());
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      connection.sync().configSet("requirepass", REDIS_PASSWORD);
    } finally {
      client.shutdown();
    }
  }

  @AfterAll
  void stop() {
    owner.close();
  }

  private int executeThere(String schema, String... command) {
    List<String> line = new ArrayList<>(List.of(command));
    line.addAll(
        List.of(
            "--jdbc-url",
            "jdbc:mysql://%s:%d/%s"
                .formatted(owner.database().host(), owner.database().port(), schema),
            "--db-user",
            admin.getUsername(),
            "--db-password",
            admin.getPassword(),
            "--redis-uri",
            "redis://:%s@%s:%d/3"
                .formatted(REDIS_PASSWORD, owner.redis().host(), owner.redis().port())));
    return execute(line.toArray(String[]::new));
  }

  private void tellsNoPassword(String text) {
    assertThat(text).doesNotContain(admin.getPassword()).doesNotContain(REDIS_PASSWORD);
  }

  @Test
  void a_search_runs_there_and_neither_its_words_nor_its_reports_hold_a_password(
      @TempDir Path folder) throws Exception {
    Path json = folder.resolve("run.json");

    int code =
        executeThere(
            "shop", "explore", "lua-gate", "--json", json.toString(), "--report", folder + "/page");

    assertThat(code).as("%s%s", err, out).isIn(0, 1);
    JsonNode run = new ObjectMapper().readTree(json.toFile());
    assertThat(run.path("environment").path("kind").asText()).isEqualTo("external");
    assertThat(run.path("subjects").path(0).path("interleavings").asLong()).isGreaterThan(1);
    tellsNoPassword(out.toString());
    tellsNoPassword(err.toString());
    tellsNoPassword(Files.readString(json));
    tellsNoPassword(Files.readString(folder.resolve("page/index.html")));
  }

  @Test
  void tables_of_others_are_refused_and_the_option_that_allows_it_is_named() {
    assertThat(executeThere("other", "explore", "no-control")).isEqualTo(ExitCode.INCONCLUSIVE);
    assertThat(err.toString())
        .contains("no servers: schema 'other' has 1 tables", "--use-existing");

    assertThat(executeThere("other", "explore", "no-control", "--use-existing")).isEqualTo(1);
    assertThat(out.toString()).contains("R101");
  }

  @Test
  void a_destructive_fault_is_refused_unless_it_is_allowed() {
    String[] flush = {
      "chaos", "lua-gate", "--fault", "redis-flush", "--duration", "4s", "--rate", "40"
    };

    assertThat(executeThere("shop", flush)).isEqualTo(2);
    assertThat(err.toString()).contains("'redis-flush' strikes everyone", "--allow-destructive");

    List<String> allowed = new ArrayList<>(List.of(flush));
    allowed.add("--allow-destructive");
    assertThat(executeThere("shop", allowed.toArray(String[]::new))).isEqualTo(1);
    assertThat(out.toString()).contains("redis-flush", "R303");
    tellsNoPassword(out.toString());
  }

  @Test
  void another_kind_of_environment_contradicts_an_address() {
    assertThat(executeThere("shop", "explore", "no-control", "--environment", "embedded"))
        .isEqualTo(2);
    saysInOneLine("--environment must be external, was 'embedded'");
  }

  @Test
  void an_address_that_is_none_is_one_line() {
    assertThat(execute("explore", "no-control", "--jdbc-url", "jdbc:postgresql://h/s"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("--jdbc-url", "must be jdbc:mysql://HOST:PORT/SCHEMA");
  }
}
