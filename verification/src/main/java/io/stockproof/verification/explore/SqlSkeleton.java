package io.stockproof.verification.explore;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A statement with every literal taken out, so that statements that differ only in their values are
 * one.
 *
 * @param text the statement with {@code ?} for each value
 * @param values the values in order, literals and bound parameters alike, strings without quotes
 */
record SqlSkeleton(String text, List<String> values) {

  private static final int MOST_TEMPLATES = 2_000;
  private static final int LONGEST_KEPT = 2_000;

  /** The same few statements come again and again. */
  private static final Map<String, Template> TEMPLATES = new ConcurrentHashMap<>();

  /**
   * A statement that was read.
   *
   * @param text the statement with {@code ?} for each value
   * @param literals in order; null for a value that is bound
   */
  private record Template(String text, List<@Nullable String> literals) {}

  /** Takes the literals out; a {@code ?} takes the next of the bound parameters. */
  static SqlSkeleton of(String sql, List<String> parameters) {
    Template template = template(sql);
    List<String> values = new ArrayList<>(template.literals().size());
    int bound = 0;
    for (String literal : template.literals()) {
      if (literal != null) {
        values.add(literal);
      } else {
        values.add(bound < parameters.size() ? parameters.get(bound) : "?");
        bound++;
      }
    }
    return new SqlSkeleton(template.text(), values);
  }

  private static Template template(String sql) {
    if (sql.length() > LONGEST_KEPT) {
      return read(sql);
    }
    Template known = TEMPLATES.get(sql);
    if (known == null) {
      known = read(sql);
      if (TEMPLATES.size() >= MOST_TEMPLATES) {
        TEMPLATES.clear();
      }
      TEMPLATES.put(sql, known);
    }
    return known;
  }

  private static Template read(String sql) {
    StringBuilder text = new StringBuilder(sql.length());
    List<@Nullable String> literals = new ArrayList<>();
    int at = 0;
    while (at < sql.length()) {
      char c = sql.charAt(at);
      if (c == '\'' || c == '"') {
        int end = endOfString(sql, at);
        literals.add(unquote(sql.substring(at + 1, Math.max(at + 1, end - 1)), c));
        text.append('?');
        at = end;
      } else if (c == '`') {
        int end = sql.indexOf('`', at + 1);
        end = end < 0 ? sql.length() : end + 1;
        text.append(sql, at, end);
        at = end;
      } else if (Character.isDigit(c) && !partOfName(sql, at)) {
        int end = endOfNumber(sql, at);
        literals.add(sql.substring(at, end));
        text.append('?');
        at = end;
      } else {
        if (c == '?') {
          literals.add(null);
        }
        text.append(c);
        at++;
      }
    }
    return new Template(text.toString(), Collections.unmodifiableList(literals));
  }

  private static boolean partOfName(String sql, int at) {
    return at > 0 && Character.isJavaIdentifierPart(sql.charAt(at - 1));
  }

  private static int endOfNumber(String sql, int at) {
    int end = at;
    while (end < sql.length()
        && (Character.isLetterOrDigit(sql.charAt(end)) || sql.charAt(end) == '.')) {
      end++;
    }
    return end;
  }

  private static int endOfString(String sql, int at) {
    char quote = sql.charAt(at);
    int end = at + 1;
    while (end < sql.length()) {
      if (sql.charAt(end) == '\\') {
        end++;
      } else if (sql.charAt(end) == quote) {
        if (end + 1 < sql.length() && sql.charAt(end + 1) == quote) {
          end++;
        } else {
          return end + 1;
        }
      }
      end++;
    }
    return sql.length();
  }

  private static String unquote(String inside, char quote) {
    return inside.replace("" + quote + quote, "" + quote).replace("\\" + quote, "" + quote);
  }
}
