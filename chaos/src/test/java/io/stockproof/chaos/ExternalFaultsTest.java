package io.stockproof.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.stockproof.verification.Subject;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.EnvironmentOptions;
import io.stockproof.verification.environment.EnvironmentOptions.Choice;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.environment.ExternalOptions;
import io.stockproof.verification.subjects.Subjects;
import io.stockproof.verification.wire.ProxiedEndpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Faults on servers that somebody else runs and uses. */
final class ExternalFaultsTest {
  private static final CampaignSettings SETTINGS =
      CampaignSettings.defaults()
          .lasting(Duration.ofSeconds(4))
          .loadedWith(40, 2)
          .resumingWithin(Duration.ofSeconds(10));

  /** Whose servers they are. */
  private static Environment owner;

  private static HikariDataSource admin;

  @BeforeAll
  static void start() throws Exception {
    owner = Environments.open(EnvironmentOptions.defaults().withChoice(Choice.EMBEDDED));
    admin = (HikariDataSource) owner.admin();
    sql("CREATE DATABASE shop");
  }

  @AfterAll
  static void stop() {
    owner.close();
  }

  private static void sql(String statement) throws Exception {
    try (Connection connection = admin.getConnection();
        Statement sent = connection.createStatement()) {
      sent.execute(statement);
    }
  }

  private static Environment external(UnaryOperator<ExternalOptions> allowing) {
    ExternalOptions servers =
        new ExternalOptions(
            "jdbc:mysql://%s:%d/shop".formatted(owner.database().host(), owner.database().port()),
            admin.getUsername(),
            admin.getPassword(),
            owner.redis().uri() + "/2",
            false,
            false);
    return Environments.open(
        EnvironmentOptions.defaults()
            .withChoice(Choice.EXTERNAL)
            .withExternal(allowing.apply(servers)));
  }

  private static Subject subject() {
    return Subjects.inService("lua-gate").orElseThrow().get();
  }

  private static CampaignResult run(Environment environment, Fault fault) throws Exception {
    try (Subject subject = subject()) {
      FaultPlan plan = FaultPlan.inTurn(List.of(fault), SETTINGS.duration(), 42);
      return Campaign.run(environment, subject, plan, SETTINGS, what -> {});
    }
  }

  @Test
  void what_strikes_everyone_is_refused_and_what_strikes_the_run_alone_is_not() throws Exception {
    try (Environment environment = external(it -> it);
        Subject subject = subject()) {
      List<String> refused =
          Faults.all().stream()
              .filter(fault -> !(fault instanceof AtCommands || fault instanceof InstanceFault))
              .filter(fault -> fault != RedisFault.LEASE_EXPIRY)
              .filter(fault -> Faults.impossible(fault, environment, subject, SETTINGS).isPresent())
              .map(Fault::title)
              .toList();

      assertThat(refused)
          .containsExactlyInAnyOrder(
              "redis-freeze",
              "redis-kill",
              "redis-restart",
              "redis-rollback",
              "db-freeze",
              "db-kill",
              "redis-client-pause",
              "redis-slow-script",
              "redis-flush",
              "redis-script-flush",
              "redis-oom",
              "redis-eviction",
              "redis-readonly",
              "db-readonly");
      assertThat(Faults.impossible(RedisFault.FLUSHALL, environment, subject, SETTINGS).orElse(""))
          .contains("--allow-destructive", "stockproof.allow-destructive=true");
      assertThat(Faults.impossible(RedisFault.FLUSHALL, owner, subject, SETTINGS)).isEmpty();
    }
  }

  @Test
  void no_permission_gives_power_over_a_process_that_was_not_started_here() throws Exception {
    try (Environment environment = external(ExternalOptions::allowingDestructive);
        Subject subject = subject()) {
      assertThat(Faults.impossible(RedisFault.FLUSHALL, environment, subject, SETTINGS)).isEmpty();
      for (Fault fault : ServerFault.values()) {
        assertThat(Faults.impossible(fault, environment, subject, SETTINGS).orElse(""))
            .isEqualTo("needs a server that was started here");
      }
    }
  }

  @Test
  void a_campaign_that_nobody_allowed_flushes_nothing_and_one_that_was_allowed_does()
      throws Exception {
    RedisClient client = RedisClient.create(owner.redis().uri());
    try (StatefulRedisConnection<String, String> somebody = client.connect()) {
      somebody.sync().set("session:1", "somebody");
      try (Environment environment = external(it -> it)) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> run(environment, RedisFault.FLUSHALL))
            .withMessageContaining("redis-flush strikes everyone");
      }
      assertThat(somebody.sync().get("session:1")).isEqualTo("somebody");

      try (Environment environment = external(ExternalOptions::allowingDestructive)) {
        CampaignResult result = run(environment, RedisFault.FLUSHALL);
        assertThat(result.windows()).hasSize(1);
      }
      assertThat(somebody.sync().get("session:1")).isNull();
    } finally {
      client.shutdown();
    }
  }

  @Test
  void only_connections_of_the_run_are_killed_and_none_of_others_with_the_same_user()
      throws Exception {
    try (Environment environment = external(it -> it);
        Connection somebody = admin.getConnection()) {
      CampaignResult result = run(environment, DatabaseFault.KILL_CONNECTIONS);

      assertThat(result.windows())
          .singleElement()
          .satisfies(window -> assertThat(window.troubles()).isPositive());
      assertThat(somebody.isValid(5)).isTrue();
    }
  }

  @Test
  void no_password_stands_on_the_command_line_of_an_instance() throws Exception {
    assumeLinux();
    try (ProxiedEndpoints wire = new ProxiedEndpoints(owner, "i0", 2, new Meddler());
        JvmInstance jvm = JvmInstance.start("lua-gate", "i0", wire, null)) {
      jvm.awaitReady();
      List<ProcessHandle> children =
          ProcessHandle.current()
              .descendants()
              .filter(child -> commandLine(child).contains(JvmMain.class.getName()))
              .toList();

      assertThat(children).hasSize(1);
      assertThat(children)
          .noneMatch(child -> commandLine(child).contains(wire.dbPassword()))
          .noneMatch(child -> read(child, "environ").contains(wire.dbPassword()));
    }
  }

  private static String commandLine(ProcessHandle process) {
    return read(process, "cmdline");
  }

  private static String read(ProcessHandle process, String file) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/" + file), UTF_8);
    } catch (IOException ended) {
      return "";
    }
  }

  private static void assumeLinux() {
    if (!Files.exists(Path.of("/proc/self/cmdline"))) {
      String reason = "who listens and what stands on command lines is asked of Linux";
      System.out.println("skipped: " + reason);
      Assumptions.abort(reason);
    }
  }
}
