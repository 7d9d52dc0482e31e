package io.stockproof.verification.environment;

import com.zaxxer.hikari.HikariDataSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.stockproof.verification.environment.EnvironmentOptions.Choice;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;

/** Real servers that somebody else runs, as far as the environment under test can tell. */
final class ForeignServers implements AutoCloseable {

  final Environment owner;
  private final HikariDataSource admin;
  private int schemas;
  private String redisPassword = "";

  /** Embedded ones. */
  ForeignServers() {
    this(Environments.open(EnvironmentOptions.defaults().withChoice(Choice.EMBEDDED)));
  }

  ForeignServers(Environment owner) {
    this.owner = owner;
    this.admin = (HikariDataSource) owner.admin();
  }

  String user() {
    return admin.getUsername();
  }

  String password() {
    return admin.getPassword();
  }

  String newSchema() throws SQLException {
    String schema = "shop" + ++schemas;
    sql("CREATE DATABASE " + schema);
    return schema;
  }

  void sql(String statement) throws SQLException {
    Sql.run(admin, statement);
  }

  String tables(String schema) throws SQLException {
    return String.valueOf(
        Sql.value(
            admin,
            "SELECT GROUP_CONCAT(table_name ORDER BY table_name) FROM information_schema.tables"
                + " WHERE table_schema = '"
                + schema
                + "'"));
  }

  String jdbcUrl(String schema) {
    return "jdbc:mysql://%s:%d/%s"
        .formatted(owner.database().host(), owner.database().port(), schema);
  }

  String redisUri(int database) {
    String login =
        redisPassword.isEmpty()
            ? ""
            : ":" + URLEncoder.encode(redisPassword, StandardCharsets.UTF_8) + "@";
    return "redis://%s%s:%d/%d"
        .formatted(login, owner.redis().host(), owner.redis().port(), database);
  }

  <T> T redis(int database, Function<RedisCommands<String, String>, T> work) {
    RedisClient client = RedisClient.create(redisUri(database));
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      return work.apply(connection.sync());
    } finally {
      client.shutdown();
    }
  }

  List<String> keys(int database) {
    return redis(database, it -> it.keys("*")).stream().sorted().toList();
  }

  void set(int database, String key) {
    redis(database, it -> it.set(key, "somebody"));
  }

  /** From now on the Redis asks for this password. */
  void requirePassword(String password) {
    redis(0, it -> it.configSet("requirepass", password));
    redisPassword = password;
  }

  ExternalOptions external(String schema, int database) {
    return new ExternalOptions(
        jdbcUrl(schema), user(), password(), redisUri(database), false, false);
  }

  static Environment open(ExternalOptions external) {
    return Environments.open(
        EnvironmentOptions.defaults().withChoice(Choice.EXTERNAL).withExternal(external));
  }

  @Override
  public void close() {
    owner.close();
  }
}
