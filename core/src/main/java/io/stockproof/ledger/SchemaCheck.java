package io.stockproof.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a schema under which the protocol would not be right: without the unique key, with
 * NULLable key parts (public case D20), or with a collation that takes two users for one (D21).
 */
final class SchemaCheck {

  private final LedgerSchema schema;
  private final List<String> problems = new ArrayList<>();

  private SchemaCheck(LedgerSchema schema) {
    this.schema = schema;
  }

  /**
   * Reads the schema.
   *
   * @throws IllegalStateException if the schema is not fit; names every reason
   * @throws LedgerException if the database did not answer
   */
  static void check(DataSource dataSource, LedgerSchema schema) {
    SchemaCheck check = new SchemaCheck(schema);
    try (Connection connection = dataSource.getConnection()) {
      check.read(connection);
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
    } catch (SQLException e) {
      throw new LedgerException("reading the schema failed: " + e.getMessage(), e);
    }
    if (!check.problems.isEmpty()) {
      throw new IllegalStateException(
          "the ledger's schema is not fit to issue from: "
              + String.join("; ", check.problems)
              + ". LedgerSchema.ddl() shows what is expected");
    }
  }

  private void read(Connection connection) throws SQLException {
    LedgerSchema.CouponColumns coupon = schema.coupon();
    LedgerSchema.IssuanceColumns issuance = schema.issuance();

    Table coupons = Table.read(connection, schema.couponTable());
    for (String column :
        List.of(
            coupon.id(),
            coupon.total(),
            coupon.issued(),
            coupon.status(),
            coupon.opensAt(),
            coupon.closesAt(),
            coupon.epoch())) {
      require(coupons, column);
    }
    if (!coupons.uniqueOver(coupon.id())) {
      problems.add(coupons.name + " has no unique key over exactly (" + coupon.id() + ")");
    }

    Table issuances = Table.read(connection, schema.issuanceTable());
    require(issuances, issuance.couponId());
    requireText(issuances, issuance.userId());
    requireText(issuances, issuance.token());
    if (!issuances.uniqueOver(issuance.couponId(), issuance.userId())) {
      problems.add(
          "%s has no unique key over exactly (%s, %s)"
              .formatted(issuances.name, issuance.couponId(), issuance.userId()));
    }
    requireInnodb(coupons);
    requireInnodb(issuances);
  }

  private @Nullable Column require(Table table, String name) {
    Column column = table.columns.get(name.toLowerCase(Locale.ROOT));
    if (column == null) {
      problems.add(table.name + " has no column " + name);
    } else if (column.nullable()) {
      problems.add(table.name + "." + name + " may be NULL; it must be NOT NULL");
    }
    return column;
  }

  private void requireText(Table table, String name) {
    Column column = require(table, name);
    if (column == null) {
      return;
    }
    String collation = column.collation();
    boolean binary =
        collation == null
            ? column.type().equals("varbinary")
            : collation.endsWith("_bin") || collation.equals("binary");
    if (!binary) {
      problems.add(
          "%s.%s is %s with collation %s; it must be text with a binary collation, such as ascii_bin"
              .formatted(table.name, name, column.type(), collation));
    }
    if (column.length() < 64) {
      problems.add(table.name + "." + name + " must hold 64 characters");
    }
  }

  private void requireInnodb(Table table) {
    if (table.engine != null && !table.engine.equalsIgnoreCase("InnoDB")) {
      problems.add(table.name + " is of engine " + table.engine + "; it must be InnoDB");
    }
  }

  private record Column(String type, boolean nullable, @Nullable String collation, long length) {}

  /** One table as the server describes it; without columns if it does not exist. */
  private static final class Table {
    private final String name;
    private final Map<String, Column> columns = new HashMap<>();
    private final Map<String, Set<String>> uniqueKeys = new HashMap<>();
    private @Nullable String engine;

    private Table(String name) {
      this.name = name;
    }

    static Table read(Connection connection, String name) throws SQLException {
      Table table = new Table(name);
      table.readEngine(connection);
      table.readColumns(connection);
      table.readUniqueKeys(connection);
      return table;
    }

    private void readEngine(Connection connection) throws SQLException {
      try (PreparedStatement statement = about("ENGINE", "TABLES", "", connection);
          ResultSet rows = statement.executeQuery()) {
        if (rows.next()) {
          engine = rows.getString(1);
        }
      }
    }

    private void readColumns(Connection connection) throws SQLException {
      String wanted =
          "COLUMN_NAME, DATA_TYPE, IS_NULLABLE, COLLATION_NAME, CHARACTER_MAXIMUM_LENGTH";
      try (PreparedStatement statement = about(wanted, "COLUMNS", "", connection);
          ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          columns.put(
              rows.getString(1).toLowerCase(Locale.ROOT),
              new Column(
                  rows.getString(2).toLowerCase(Locale.ROOT),
                  rows.getString(3).equals("YES"),
                  rows.getString(4),
                  rows.getLong(5)));
        }
      }
    }

    private void readUniqueKeys(Connection connection) throws SQLException {
      String wanted = "INDEX_NAME, COLUMN_NAME, SUB_PART";
      try (PreparedStatement statement =
              about(wanted, "STATISTICS", " AND NON_UNIQUE = 0", connection);
          ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          // A key over a prefix or an expression is not over the column.
          boolean whole = rows.getString(3) == null && rows.getString(2) != null;
          uniqueKeys
              .computeIfAbsent(rows.getString(1), index -> new HashSet<>())
              .add(whole ? rows.getString(2).toLowerCase(Locale.ROOT) : "");
        }
      }
    }

    private PreparedStatement about(
        String wanted, String view, String condition, Connection connection) throws SQLException {
      int dot = name.indexOf('.');
      String where = dot < 0 ? "DATABASE()" : "?";
      PreparedStatement statement =
          connection.prepareStatement(
              "SELECT %s FROM information_schema.%s WHERE TABLE_SCHEMA = %s AND TABLE_NAME = ?%s"
                  .formatted(wanted, view, where, condition));
      int index = 1;
      if (dot >= 0) {
        statement.setString(index++, name.substring(0, dot));
      }
      statement.setString(index, name.substring(dot + 1));
      return statement;
    }

    boolean uniqueOver(String... wanted) {
      Set<String> parts = new HashSet<>();
      for (String part : wanted) {
        parts.add(part.toLowerCase(Locale.ROOT));
      }
      return uniqueKeys.containsValue(parts);
    }
  }
}
