package io.stockproof.verification.environment;

import static io.stockproof.verification.environment.ForeignServers.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment.Kind;
import io.stockproof.verification.explore.Exploration;
import io.stockproof.verification.explore.Explorer;
import io.stockproof.verification.explore.SearchSettings;
import io.stockproof.verification.subjects.Subjects;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that run already, and are somebody's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExternalEnvironmentTest {

  private static final int DATABASE = 5;

  private ForeignServers servers;

  @BeforeAll
  void start() {
    servers = new ForeignServers();
  }

  @AfterEach
  void emptyRedis() {
    servers.redis(0, it -> it.flushall());
  }

  @AfterAll
  void stop() {
    servers.close();
  }

  @Test
  void whatWasEmptyIsMarkedAndEmptiedAtTheEndAndTheServersGoOn() throws Exception {
    String schema = servers.newSchema();

    try (Environment environment = open(servers.external(schema, DATABASE))) {
      assertThat(environment.kind()).isEqualTo(Kind.EXTERNAL);
      assertThat(environment.database().title()).isEqualTo("MariaDB 11.4.5");
      assertThat(environment.redis().version()).isEqualTo("7.0.15");
      assertThat(environment.redisControl()).isEmpty();
      assertThat(environment.databaseControl()).isEmpty();
      assertThat(environment.mayBreakServers()).isFalse();
      assertThat(servers.tables(schema)).isEqualTo(ExternalDatabase.MARKER);
      assertThat(servers.keys(DATABASE)).containsExactly(ExternalRedis.MARKER);
      Sql.run(environment.admin(), "CREATE TABLE parent (id BIGINT PRIMARY KEY)");
      Sql.run(
          environment.admin(),
          "CREATE TABLE child (id BIGINT, FOREIGN KEY (id) REFERENCES parent (id))");
      servers.set(DATABASE, "coupon:1:stock");
      servers.set(DATABASE + 1, "beside");
    }

    assertThat(servers.tables(schema)).isEqualTo("null");
    assertThat(servers.keys(DATABASE)).isEmpty();
    assertThat(servers.keys(DATABASE + 1)).containsExactly("beside");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lua-gate", "redisson-lock", "stockproof"})
  void aSubjectIsSearchedThereAlsoWithAPasswordAndADatabaseNumber(String name) throws Exception {
    String schema = servers.newSchema();
    servers.requirePassword("s:3/c@r%t" + name);
    try (Environment environment = open(servers.external(schema, DATABASE))) {
      Exploration found = search(environment, name);

      assertThat(found.interleavings()).isGreaterThan(1);
      assertThat(found.verdict()).as("%s", found).isNotEqualTo(Verdict.INCONCLUSIVE);
      assertThat(servers.keys(0)).as("keys in another database").isEmpty();
    } finally {
      servers.requirePassword("");
    }
  }

  static Exploration search(Environment environment, String name) throws Exception {
    try (Subject subject = Subjects.named(name).orElseThrow().make().get();
        Explorer explorer = new Explorer(environment, subject)) {
      return explorer.explore(
          Scenario.users(1, 2, 1, 2),
          SearchSettings.calm(Duration.ofSeconds(60)),
          Explorer.Observer.NONE);
    }
  }

  @Test
  void aSchemaWithTablesOfOthersIsRefusedAndLeftAsItIs() throws Exception {
    String schema = servers.newSchema();
    servers.sql("CREATE TABLE " + schema + ".member (id BIGINT)");

    assertThatThrownBy(() -> open(servers.external(schema, DATABASE)))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContainingAll(
            schema, "1 tables", "member", "--use-existing", "stockproof.use-existing=true");

    assertThat(servers.tables(schema)).isEqualTo("member");
    assertThat(servers.keys(DATABASE)).isEmpty();
  }

  @Test
  void keysOfOthersAreRefusedAndNoTraceIsLeftInTheSchemaEither() throws Exception {
    String schema = servers.newSchema();
    servers.set(DATABASE, "session:1");

    assertThatThrownBy(() -> open(servers.external(schema, DATABASE)))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContainingAll("database 5", "1 keys", "session:1", "--use-existing");

    assertThat(servers.keys(DATABASE)).containsExactly("session:1");
    assertThat(servers.tables(schema)).isEqualTo("null");
  }

  @Test
  void whatIsThereMayBeUsedIfThatIsSaidAndIsNotRemoved() throws Exception {
    String schema = servers.newSchema();
    servers.sql("CREATE TABLE " + schema + ".member (id BIGINT)");
    servers.set(DATABASE, "session:1");

    try (Environment environment = open(servers.external(schema, DATABASE).usingExisting())) {
      Sql.run(environment.admin(), "CREATE TABLE coupon (id BIGINT)");
    }

    assertThat(servers.tables(schema)).isEqualTo("coupon,member");
    assertThat(servers.keys(DATABASE)).containsExactly("session:1");
  }

  @Test
  void whatARunThatWasKilledLeftIsNoObstacleAndIsNotRemovedByAnother() throws Exception {
    String schema = servers.newSchema();
    servers.sql("CREATE TABLE " + schema + "." + ExternalDatabase.MARKER + " (at TIMESTAMP)");
    servers.sql("CREATE TABLE " + schema + ".coupon (id BIGINT)");
    servers.set(DATABASE, ExternalRedis.MARKER);
    servers.set(DATABASE, "coupon:1:stock");

    try (Environment environment = open(servers.external(schema, DATABASE))) {
      Sql.run(environment.admin(), "CREATE TABLE newer (id BIGINT)");
      servers.set(DATABASE, "newer");
    }

    assertThat(servers.tables(schema)).isEqualTo("coupon," + ExternalDatabase.MARKER);
    assertThat(servers.keys(DATABASE)).containsExactly("coupon:1:stock", ExternalRedis.MARKER);
  }

  @Test
  void twoRunsAtATimeShareNeitherASchemaNorARedisDatabase() throws Exception {
    String schema = servers.newSchema();
    String other = servers.newSchema();
    try (Environment first = open(servers.external(schema, DATABASE))) {
      Sql.run(first.admin(), "CREATE TABLE coupon (id BIGINT)");
      servers.set(DATABASE, "coupon:1:stock");

      assertThatThrownBy(() -> open(servers.external(schema, DATABASE + 1)))
          .isInstanceOf(EnvironmentException.class)
          .hasMessage("another run uses schema '" + schema + "' now: wait, or name another");
      assertThatThrownBy(() -> open(servers.external(other, DATABASE)))
          .isInstanceOf(EnvironmentException.class)
          .hasMessage("another run uses Redis database 5 now: wait, or name another");
      open(servers.external(other, DATABASE + 1)).close();

      assertThat(servers.tables(schema)).isEqualTo("coupon," + ExternalDatabase.MARKER);
      assertThat(servers.keys(DATABASE)).contains("coupon:1:stock");
      assertThat(servers.tables(other)).isEqualTo("null");
      assertThat(servers.keys(DATABASE + 1)).isEmpty();
    }
    open(servers.external(schema, DATABASE)).close();
  }

  @Test
  void settingsOfTheServerAreNotChanged() throws Exception {
    String settings =
        "SELECT CONCAT(@@GLOBAL.innodb_flush_log_at_trx_commit, @@GLOBAL.innodb_snapshot_isolation)";
    servers.sql("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
    try (Environment environment =
        open(servers.external(servers.newSchema(), DATABASE).allowingDestructive())) {
      assertThat(environment.mayBreakServers()).isTrue();
      environment.durable(false);
      environment.durable(true);
      environment.snapshotIsolation(false);
      assertThatThrownBy(() -> environment.snapshotIsolation(true))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("left as it is");

      assertThat(Sql.value(servers.owner.admin(), settings)).isEqualTo("2OFF");
      servers.owner.snapshotIsolation(true);
      assertThatCode(() -> environment.snapshotIsolation(true)).doesNotThrowAnyException();
      environment.snapshotIsolation(false);
      assertThat(Sql.value(servers.owner.admin(), settings)).isEqualTo("2ON");
    } finally {
      servers.owner.snapshotIsolation(false);
      servers.owner.durable(true);
    }
  }

  @Test
  void aUserWhoMayNotSeeWhoWaitsIsToldWhatIsMissing() throws Exception {
    try (PooledEndpoints application = servers.owner.endpoints(1)) {
      ExternalOptions options =
          new ExternalOptions(
              servers.jdbcUrl("stockproof"),
              application.dbUser(),
              application.dbPassword(),
              servers.redisUri(DATABASE),
              false,
              false);

      assertThatThrownBy(() -> open(options))
          .isInstanceOf(EnvironmentException.class)
          .hasMessageContaining("GRANT PROCESS ON *.* TO " + application.dbUser());
    }
  }
}
