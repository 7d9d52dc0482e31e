package io.stockproof.verification.environment;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a JDBC URL says of a server that runs already. */
record JdbcAddress(String host, int port, String schema) {

  private static final int USUAL_PORT = 3306;
  private static final Pattern URL =
      Pattern.compile(
          "jdbc:mysql://(?<host>\\[[0-9a-fA-F:.]+]|[\\w.-]+)(?::(?<port>\\d{1,5}))?"
              + "/(?<schema>[\\w$-]+)(?:\\?(?<options>.*))?");

  /** What every connection of a run is made with anyway. */
  private static final Set<String> AS_IT_IS =
      Set.of(
          "sslmode=disabled",
          "sslmode=preferred",
          "usessl=false",
          "requiressl=false",
          "allowpublickeyretrieval=true",
          "connectiontimezone=utc");

  private static final Set<String> TLS = Set.of("sslmode", "usessl", "requiressl");
  private static final Set<String> CREDENTIALS = Set.of("user", "password");

  /**
   * Reads it.
   *
   * @throws IllegalArgumentException naming what is allowed; never with a password
   */
  static JdbcAddress parse(String url) {
    Matcher parts = URL.matcher(url);
    if (!parts.matches()) {
      throw bad("must be jdbc:mysql://HOST:PORT/SCHEMA, for MariaDB as well, was " + shown(url));
    }
    String options = parts.group("options");
    if (options != null) {
      for (String option : options.split("[&;]", -1)) {
        check(option);
      }
    }
    String port = parts.group("port");
    return new JdbcAddress(
        parts.group("host"),
        port == null ? USUAL_PORT : Integer.parseInt(port),
        parts.group("schema"));
  }

  private static void check(String option) {
    String name = option.contains("=") ? option.substring(0, option.indexOf('=')) : option;
    if (name.isEmpty() || AS_IT_IS.contains(option.toLowerCase(Locale.ROOT))) {
      return;
    }
    String lower = name.toLowerCase(Locale.ROOT);
    if (TLS.contains(lower)) {
      throw bad("must not ask for TLS (" + option + "): the proxies read along in the clear");
    }
    if (CREDENTIALS.contains(lower)) {
      throw bad(
          "must not hold the %s: it goes into stockproof.db.%s (STOCKPROOF_DB_%s)"
              .formatted(lower, lower, lower.toUpperCase(Locale.ROOT)));
    }
    throw bad(
        "has the option '%s', which is not taken over: leave it out; all runs connect alike"
            .formatted(name));
  }

  private static IllegalArgumentException bad(String why) {
    return new IllegalArgumentException("--jdbc-url (stockproof.jdbc.url) " + why);
  }

  /** The text of an address if no password can be in it. */
  static String shown(String address) {
    return address.contains("@") || address.toLowerCase(Locale.ROOT).contains("pass")
        ? "something else (not shown here: there may be a password in it)"
        : "'" + address + "'";
  }
}
