package io.stockproof.verification.explore;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import net.sf.jsqlparser.JSQLParserException;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.JdbcParameter;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.relational.EqualsTo;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.schema.Column;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.insert.Insert;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Values;
import net.sf.jsqlparser.statement.update.Update;
import net.sf.jsqlparser.util.TablesNamesFinder;
import org.jspecify.annotations.Nullable;

/**
 * What a statement does to which rows, as far as its text says.
 *
 * @param kind what it does
 * @param tables every table it names, lower case
 * @param rows for a statement on one table: each entry binds columns to positions of values, and so
 *     picks rows of it
 */
record SqlShape(Kind kind, List<String> tables, List<Map<String, Integer>> rows) {

  enum Kind {
    READ,
    LOCKING_READ,
    INSERT,
    CHANGE,
    /** Touches no table. */
    NONE,
    /** Not understood: may touch anything. */
    UNKNOWN
  }

  private static final SqlShape NOT_UNDERSTOOD = new SqlShape(Kind.UNKNOWN, List.of(), List.of());

  /** Reads a skeleton; what cannot be read is {@link Kind#UNKNOWN}. */
  static SqlShape of(String skeleton) {
    try {
      Statement statement = new CCJSqlParser(skeleton).Statement();
      return of(statement);
    } catch (ParseException | JSQLParserException | RuntimeException notOurDialect) {
      return NOT_UNDERSTOOD;
    }
  }

  private static SqlShape of(Statement statement) throws JSQLParserException {
    List<String> tables = tables(statement);
    if (statement instanceof PlainSelect select) {
      if (tables.isEmpty()) {
        // A function may be one like GET_LOCK.
        return select.toString().indexOf('(') < 0
            ? new SqlShape(Kind.NONE, tables, List.of())
            : NOT_UNDERSTOOD;
      }
      if (select.isSkipLocked() || select.isNoWait()) {
        // Never waits for a lock: what it reads depends on who holds one.
        return NOT_UNDERSTOOD;
      }
      boolean locks = select.getForMode() != null;
      boolean simple = tables.size() == 1 && select.getFromItem() instanceof Table;
      return new SqlShape(
          locks ? Kind.LOCKING_READ : Kind.READ, tables, simple ? where(select.getWhere()) : any());
    }
    if (statement instanceof Update update && tables.size() == 1) {
      return new SqlShape(Kind.CHANGE, tables, where(update.getWhere()));
    }
    if (statement instanceof Delete delete && tables.size() == 1) {
      return new SqlShape(Kind.CHANGE, tables, where(delete.getWhere()));
    }
    if (statement instanceof Insert insert && tables.size() == 1) {
      boolean plain =
          !insert.isModifierIgnore()
              && insert.getDuplicateUpdateSets() == null
              && insert.getSelect() instanceof Values;
      return plain
          ? new SqlShape(Kind.INSERT, tables, inserted(insert))
          : new SqlShape(Kind.CHANGE, tables, any());
    }
    return NOT_UNDERSTOOD;
  }

  private static List<String> tables(Statement statement) {
    return new TablesNamesFinder<Void>()
        .getTables(statement).stream().map(SqlShape::name).distinct().toList();
  }

  private static List<Map<String, Integer>> any() {
    return List.of(Map.of());
  }

  private static List<Map<String, Integer>> where(@Nullable Expression condition) {
    Map<String, Integer> bound = new TreeMap<>();
    bind(condition, bound);
    return List.of(bound);
  }

  private static void bind(@Nullable Expression condition, Map<String, Integer> bound) {
    if (condition instanceof AndExpression and) {
      bind(and.getLeftExpression(), bound);
      bind(and.getRightExpression(), bound);
    } else if (condition instanceof EqualsTo equal
        && equal.getLeftExpression() instanceof Column column
        && equal.getRightExpression() instanceof JdbcParameter value) {
      bound.put(name(column.getColumnName()), value.getIndex() - 1);
    }
  }

  private static List<Map<String, Integer>> inserted(Insert insert) {
    ExpressionList<Column> columns = insert.getColumns();
    ExpressionList<?> values = insert.getValues().getExpressions();
    if (columns == null) {
      return any();
    }
    List<Map<String, Integer>> rows = new ArrayList<>();
    boolean several = !values.isEmpty() && values.get(0) instanceof ExpressionList;
    for (Object row : several ? values : List.of(values)) {
      Map<String, Integer> bound = new TreeMap<>();
      List<?> fields = (List<?>) row;
      for (int i = 0; i < Math.min(columns.size(), fields.size()); i++) {
        if (fields.get(i) instanceof JdbcParameter value) {
          bound.put(name(columns.get(i).getColumnName()), value.getIndex() - 1);
        }
      }
      rows.add(bound);
    }
    return rows;
  }

  private static String name(String quoted) {
    String plain = quoted.substring(quoted.lastIndexOf('.') + 1);
    return plain.replace("`", "").toLowerCase(Locale.ROOT);
  }
}
