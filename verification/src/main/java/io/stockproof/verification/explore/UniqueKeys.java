package io.stockproof.verification.explore;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;

/**
 * The unique keys of a schema: by them two statements are known to touch different rows.
 *
 * @param columns table → name of the key → its columns in order; all lower case but the name
 */
record UniqueKeys(Map<String, Map<String, List<String>>> columns) {

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
    return new UniqueKeys(keys);
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
