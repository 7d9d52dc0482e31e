package io.stockproof.verification.environment;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a URI says of a Redis that runs already. The login never appears in {@link #toString()}.
 *
 * @param login {@code USER:PASSWORD} or {@code :PASSWORD} as it stands in the URI; empty for none
 * @param database number of the logical database
 */
record RedisAddress(String login, String host, int port, int database) {

  private static final int USUAL_PORT = 6379;
  private static final Pattern URI =
      Pattern.compile(
          "redis://(?:(?<login>[^@/\\s]*)@)?(?<host>\\[[0-9a-fA-F:.]+]|[\\w.-]+)"
              + "(?::(?<port>\\d{1,5}))?(?:/(?<database>\\d{0,4}))?");

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException naming what is allowed; never with a password
   */
  static RedisAddress parse(String uri) {
    if (uri.startsWith("rediss://")) {
      throw bad("must not ask for TLS (rediss://): the proxies read along in the clear");
    }
    Matcher parts = URI.matcher(uri);
    if (!parts.matches()) {
      throw bad(
          "must be redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], one server and no options, was "
              + JdbcAddress.shown(uri));
    }
    String login = textOf(parts.group("login"));
    String port = textOf(parts.group("port"));
    String database = textOf(parts.group("database"));
    return new RedisAddress(
        login.isEmpty() || login.contains(":") ? login : ":" + login,
        parts.group("host"),
        port.isEmpty() ? USUAL_PORT : Integer.parseInt(port),
        database.isEmpty() ? 0 : Integer.parseInt(database));
  }

  private static String textOf(@Nullable String group) {
    return group == null ? "" : group;
  }

  private static IllegalArgumentException bad(String why) {
    return new IllegalArgumentException("--redis-uri (stockproof.redis.uri) " + why);
  }

  @Override
  public String toString() {
    return host + ":" + port + "/" + database;
  }
}
