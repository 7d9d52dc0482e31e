package io.stockproof.verification.wire;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What can be said of a statement without parsing it.
 *
 * @param name first word in upper case, BEGIN for START TRANSACTION
 * @param housekeeping whether it neither reads nor changes data, given that no transaction is open
 * @param endsTransaction whether it is housekeeping only while no transaction is open, because it
 *     commits one
 */
record SqlText(String name, boolean housekeeping, boolean endsTransaction) {

  private static final Set<String> ALWAYS = Set.of("SHOW", "USE", "DESCRIBE", "DESC", "KILL");

  private static final Pattern AUTOCOMMIT_ON =
      Pattern.compile("(?is)^set\\s+.*\\bautocommit\\s*(=|:=)\\s*(1|on|true)\\b.*", Pattern.DOTALL);

  private static final Pattern HARMLESS_CALL =
      Pattern.compile(
          "(?i)\\b(database|schema|version|connection_id|user|current_user|last_insert_id"
              + "|row_count|now|current_timestamp)\\s*\\(\\s*\\)");

  private static final Pattern TOUCHES_DATA =
      Pattern.compile("(?is)\\b(from|into|for\\s+update|next\\s+value)\\b|\\(|;\\s*\\S");

  private static final int LONGEST_HOUSEKEEPING = 4_096;

  static SqlText read(String sql) {
    int at = start(sql);
    int end = at;
    while (end < sql.length() && Character.isLetter(sql.charAt(end))) {
      end++;
    }
    String word = sql.substring(at, end).toUpperCase(Locale.ROOT);
    boolean small = sql.length() - at < LONGEST_HOUSEKEEPING;
    String rest = small ? sql.substring(at) : "";
    return switch (word) {
      case "START" -> begin(rest);
      case "BEGIN" -> new SqlText("BEGIN", small && single(rest), true);
      case "SET" -> set(rest, small);
      case "SELECT" -> new SqlText(word, small && readsNoData(rest), false);
      default -> new SqlText(word, ALWAYS.contains(word) && small && single(rest), false);
    };
  }

  private static SqlText begin(String rest) {
    String upper = rest.toUpperCase(Locale.ROOT);
    if (!upper.contains("TRANSACTION")) {
      return new SqlText("START", false, false);
    }
    return new SqlText("BEGIN", !upper.contains("SNAPSHOT") && single(rest), true);
  }

  private static SqlText set(String rest, boolean small) {
    boolean harmless = small && readsNoData(rest) && !reachesOthers(rest);
    return new SqlText("SET", harmless, AUTOCOMMIT_ON.matcher(rest).matches());
  }

  private static boolean reachesOthers(String rest) {
    String upper = rest.toUpperCase(Locale.ROOT);
    return upper.contains("GLOBAL") || upper.contains("PERSIST") || upper.contains("STATEMENT");
  }

  private static boolean readsNoData(String rest) {
    String plain = rest.indexOf('(') < 0 ? rest : HARMLESS_CALL.matcher(rest).replaceAll(" ");
    return !TOUCHES_DATA.matcher(plain).find();
  }

  private static boolean single(String rest) {
    int semicolon = rest.indexOf(';');
    return semicolon < 0 || rest.substring(semicolon + 1).isBlank();
  }

  /** Where the first word begins, after spaces, comments and parentheses. */
  private static int start(String sql) {
    int i = 0;
    while (i < sql.length()) {
      char c = sql.charAt(i);
      if (Character.isWhitespace(c) || c == '(' || c == ';') {
        i++;
      } else if (sql.startsWith("/*!", i)) {
        i += 3;
        while (i < sql.length() && (Character.isDigit(sql.charAt(i)) || sql.charAt(i) == 'M')) {
          i++;
        }
      } else if (sql.startsWith("/*", i)) {
        i = after(sql, "*/", i + 2);
      } else if (c == '#' || sql.startsWith("-- ", i)) {
        i = after(sql, "\n", i);
      } else {
        break;
      }
    }
    return i;
  }

  private static int after(String sql, String end, int from) {
    int found = sql.indexOf(end, from);
    return found < 0 ? sql.length() : found + end.length();
  }

  /** Question marks that are neither quoted nor in a comment. */
  static int placeholders(String sql) {
    int count = 0;
    int i = 0;
    while (i < sql.length()) {
      char c = sql.charAt(i);
      if (c == '\'' || c == '"' || c == '`') {
        i = afterQuoted(sql, i, c);
      } else if (sql.startsWith("/*", i)) {
        i = after(sql, "*/", i + 2);
      } else if (c == '#' || sql.startsWith("-- ", i)) {
        i = after(sql, "\n", i);
      } else {
        count += c == '?' ? 1 : 0;
        i++;
      }
    }
    return count;
  }

  private static int afterQuoted(String sql, int from, char quote) {
    for (int i = from + 1; i < sql.length(); i++) {
      if (sql.charAt(i) == '\\' && quote != '`') {
        i++;
      } else if (sql.charAt(i) == quote) {
        return i + 1;
      }
    }
    return sql.length();
  }
}
