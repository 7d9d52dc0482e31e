package io.stockproof.verification.explore;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/**
 * The unique keys of a schema, by which two statements are known to touch different rows, and its
 * foreign keys, by which statements on different tables may touch the same.
 *
 * @param columns table → name of the key → its columns in order; all lower case but the name
 * @param parents table → tables that its foreign keys refer to, lower case
 */
record UniqueKeys(
    Map<String, Map<String, List<String>>> columns, Map<String, Set<String>> parents) {

  /** Name of every table's primary key. */
  static final String PRIMARY = "PRIMARY";

  /** Reads the keys of the current schema. */
  static UniqueKeys read(DataSource admin) throws SQLException {
    String sql =
        """
        SELECT table_name, index_name, column_name FROM information_schema.statistics
         WHERE table_schema = DATABASE() AND non_unique = 0
         ORDER BY table_name, index_name, seq_in_index""";
    Map<String, Map<String, List<String>>> keys = new LinkedHashMap<>();
    try (Connection connection = admin.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        keys.computeIfAbsent(row.getString(1).toLowerCase(Locale.ROOT), t -> new LinkedHashMap<>())
            .computeIfAbsent(row.getString(2), k -> new ArrayList<>())
            .add(row.getString(3).toLowerCase(Locale.ROOT));
      }
    }
    return new UniqueKeys(keys, parents(admin));
  }

  private static Map<String, Set<String>> parents(DataSource admin) throws SQLException {
    String sql =
        """
        SELECT DISTINCT table_name, referenced_table_name FROM information_schema.key_column_usage
         WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL""";
    Map<String, Set<String>> parents = new LinkedHashMap<>();
    try (Connection connection = admin.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        parents
            .computeIfAbsent(row.getString(1).toLowerCase(Locale.ROOT), t -> new LinkedHashSet<>())
            .add(row.getString(2).toLowerCase(Locale.ROOT));
      }
    }
    return parents;
  }

  /** Tables that a table's foreign keys refer to. */
  Set<String> parentsOf(String table) {
    return parents.getOrDefault(table, Set.of());
  }

  /** Tables with foreign keys that refer to a table. */
  List<String> childrenOf(String table) {
    return parents.entrySet().stream()
        .filter(child -> child.getValue().contains(table))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The keys of a table whose columns are all bound, with the values they are bound to. */
  Map<String, String> bound(String table, Map<String, Integer> row, List<String> values) {
    Map<String, String> bound = new LinkedHashMap<>();
    columns
        .getOrDefault(table, Map.of())
        .forEach(
            (key, of) -> {
              List<String> picked = new ArrayList<>();
              for (String column : of) {
                Integer position = row.get(column);
                if (position == null) {
                  return;
                }
                picked.add(values.get(position));
              }
              bound.put(key, String.join(",", picked));
            });
    return bound;
  }
}
