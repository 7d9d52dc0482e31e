package io.stockproof.verification.environment;

import java.util.List;

/** What a fresh database server of either product gets: one schema and two users. */
record SchemaSetup(String schema, Credentials application, Credentials admin) {

  /** The usual names with new random passwords. */
  static SchemaSetup withRandomPasswords() {
    return new SchemaSetup(
        "stockproof", Credentials.random("stockproof"), Credentials.random("stockproof_admin"));
  }

  /** One statement an element, each on one line; a server that starts again runs them again. */
  List<String> statements() {
    return List.of(
        "CREATE DATABASE IF NOT EXISTS %s CHARACTER SET utf8mb4".formatted(schema),
        create(application),
        "GRANT ALL PRIVILEGES ON %s.* TO '%s'@'%%'".formatted(schema, application.user()),
        create(admin),
        "GRANT ALL PRIVILEGES ON *.* TO '%s'@'%%' WITH GRANT OPTION".formatted(admin.user()));
  }

  private static String create(Credentials user) {
    return "CREATE USER IF NOT EXISTS '%s'@'%%' IDENTIFIED BY '%s'"
        .formatted(user.user(), user.password());
  }
}
