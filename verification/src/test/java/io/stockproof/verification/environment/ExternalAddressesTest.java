package io.stockproof.verification.environment;

import static io.stockproof.verification.environment.ForeignServers.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.environment.EnvironmentOptions.Choice;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with an address or a credential is said in one line, without a password. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExternalAddressesTest {

  private static final String WRONG = "hunter2";

  private ForeignServers servers;

  @BeforeAll
  void start() {
    servers = new ForeignServers();
  }

  @AfterAll
  void stop() {
    servers.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jdbc:mysql://localhost/shop                       | localhost 3306 shop",
        "jdbc:mysql://db.example:3307/shop                 | db.example 3307 shop",
        "jdbc:mysql://[::1]:3307/shop?useSSL=false         | [::1] 3307 shop",
        "jdbc:mysql://h/s?sslMode=DISABLED&allowPublicKeyRetrieval=true | h 3306 s",
      })
  void aJdbcUrlIsRead(String url, String parts) {
    JdbcAddress read = JdbcAddress.parse(url);
    assertThat(read.host() + " " + read.port() + " " + read.schema()).isEqualTo(parts);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jdbc:postgresql://h/s                 | must be jdbc:mysql://HOST:PORT/SCHEMA",
        "jdbc:mariadb://h/s                    | for MariaDB as well, was 'jdbc:mariadb://h/s'",
        "jdbc:mysql://h:3306/                  | must be jdbc:mysql://HOST:PORT/SCHEMA",
        "jdbc:mysql://h1,h2/s                  | must be jdbc:mysql://HOST:PORT/SCHEMA",
        "jdbc:mysql://root:hunter2@h/s         | not shown here",
        "jdbc:mysql://h/s?password=hunter2     | STOCKPROOF_DB_PASSWORD",
        "jdbc:mysql://h/s?sslMode=REQUIRED     | must not ask for TLS (sslMode=REQUIRED)",
        "jdbc:mysql://h/s?useSSL=true          | must not ask for TLS (useSSL=true)",
        "jdbc:mysql://h/s?serverTimezone=UTC   | has the option 'serverTimezone'",
      })
  void aJdbcUrlThatIsNoneIsRefused(String url, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JdbcAddress.parse(url))
        .withMessageContainingAll("--jdbc-url (stockproof.jdbc.url)", why)
        .withMessageNotContaining(WRONG);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "redis://localhost               | [] localhost 6379 0",
        "redis://h:6380/7                | [] h 6380 7",
        "redis://:secret@h               | [:secret] h 6379 0",
        "redis://secret@[::1]:1/         | [:secret] [::1] 1 0",
        "redis://app:s%40t@my_redis/15   | [app:s%40t] my_redis 6379 15",
      })
  void aRedisUriIsRead(String uri, String parts) {
    RedisAddress read = RedisAddress.parse(uri);
    assertThat("[%s] %s %d %d".formatted(read.login(), read.host(), read.port(), read.database()))
        .isEqualTo(parts);
    assertThat(read.toString()).doesNotContain("secret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http://h:6379               | must be redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]",
        "h:6379                      | one server and no options, was 'h:6379'",
        "redis-sentinel://h/0        | must be redis://",
        "rediss://h:6379             | must not ask for TLS",
        "rediss://:hunter2@h:6379    | must not ask for TLS",
        "http://:hunter2@h           | not shown here",
        "redis://h?timeout=1s        | one server and no options",
      })
  void aRedisUriThatIsNoneIsRefused(String uri, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RedisAddress.parse(uri))
        .withMessageContainingAll("--redis-uri (stockproof.redis.uri)", why)
        .withMessageNotContaining(WRONG);
  }

  @Test
  void whatIsMissingIsNamed() {
    ExternalOptions none = ExternalOptions.NONE;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(none))
        .withMessage(
            "servers that run already need --jdbc-url (stockproof.jdbc.url or"
                + " STOCKPROOF_JDBC_URL)");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                open(none.withServers(Optional.of("jdbc:mysql://h/s"), empty(), empty(), empty())))
        .withMessageContaining("--db-user");
  }

  private static Optional<String> empty() {
    return Optional.empty();
  }

  private ExternalOptions with(String jdbcUrl, String password, String redisUri) {
    return new ExternalOptions(jdbcUrl, servers.user(), password, redisUri, false, false);
  }

  private static void isRefused(ExternalOptions options, String... words) {
    assertThatThrownBy(() -> open(options))
        .isInstanceOf(EnvironmentException.class)
        .hasMessageContainingAll(words)
        .satisfies(
            refusal -> assertThat(refusal.getMessage()).doesNotContain("\n").doesNotContain(WRONG));
  }

  @Test
  void serversThatAreNotThereAreNamed() throws Exception {
    String schema = servers.newSchema();
    String good = servers.jdbcUrl(schema);
    String password = servers.password();
    String redis = servers.redisUri(3);
    int nobody = Loopback.freePort();

    isRefused(with("jdbc:mysql://no.such.host.invalid/s", password, redis), "no host", "invalid");
    isRefused(with("jdbc:mysql://127.0.0.1:" + nobody + "/s", password, redis), "no database");
    isRefused(with(good, WRONG, redis), "does not let user 'stockproof_admin'");
    isRefused(with(good, "", redis), "does not let user", "none was given");
    isRefused(with(servers.jdbcUrl("nothere"), password, redis), "no schema 'nothere'");
    isRefused(with(good, password, "redis://no.such.host.invalid"), "no host", "invalid");
    isRefused(with(good, password, "redis://127.0.0.1:" + nobody), "no Redis listens at");
    isRefused(
        with(good, password, redis.replace("redis://", "redis://nobody:" + WRONG + "@")),
        "another user or password");
    isRefused(with(good, password, servers.redisUri(99)), "DB index is out of range");
    assertThat(servers.tables(schema)).as("no trace").isEqualTo("null");
  }

  @Test
  void aRedisThatAsksForAPasswordSaysSo() throws Exception {
    ExternalOptions without = servers.external(servers.newSchema(), 3);
    servers.requirePassword("abc");
    try {
      isRefused(without, "asks for a user or password");
    } finally {
      servers.requirePassword("");
    }
  }

  @Test
  void anotherProductThanTheOneAskedForIsRefused() throws Exception {
    EnvironmentOptions options =
        EnvironmentOptions.defaults()
            .withChoice(Choice.EXTERNAL)
            .withExternal(servers.external(servers.newSchema(), 3))
            .withDatabase(Product.MYSQL);

    assertThatThrownBy(() -> Environments.open(options))
        .isInstanceOf(EnvironmentException.class)
        .hasMessage("MySQL was asked for (stockproof.database), and the server is MariaDB 11.4.5");
  }

  @Test
  void optionsPrintNeitherAddressNorPassword() {
    assertThat(servers.external("shop", 3).toString())
        .doesNotContain(servers.password())
        .doesNotContain("//");
  }

  @Test
  void anAddressInTheSettingsMeansExternal() {
    System.setProperty("stockproof.redis.uri", "redis://h");
    System.setProperty("stockproof.use-existing", "true");
    try {
      EnvironmentOptions options = EnvironmentOptions.fromSettings();
      assertThat(options.external().redisUri()).isEqualTo("redis://h");
      assertThat(options.external().useExisting()).isTrue();
      assertThat(options.external().allowDestructive()).isFalse();
      if (new Setting("stockproof.environment").text().isEmpty()) {
        assertThat(options.choice()).isEqualTo(Choice.EXTERNAL);
      }
      System.setProperty("stockproof.use-existing", "yes");
      assertThatIllegalArgumentException()
          .isThrownBy(EnvironmentOptions::fromSettings)
          .withMessageContaining("must be true or false, was 'yes'");
    } finally {
      System.clearProperty("stockproof.redis.uri");
      System.clearProperty("stockproof.use-existing");
    }
  }
}
