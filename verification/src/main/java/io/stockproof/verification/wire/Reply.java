package io.stockproof.verification.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a server answered, as far as it is cheap to decode. Of several results (multi-statements)
 * the last is told, but the first error wins.
 *
 * @param error whether it is an error
 * @param code vendor code of a database error, otherwise 0
 * @param text text of an error, status of Redis ({@code OK}, {@code QUEUED}), otherwise empty
 * @param affectedRows rows changed by a statement, -1 where the reply says nothing of it
 * @param rows rows of a result set, elements of a Redis array, 1 for a single Redis value, 0 if
 *     none
 * @param values first row of a result set, or the value or first elements of a Redis reply, as
 *     text; {@code null} for SQL NULL and Redis null; empty if not decoded
 * @param passed whether the client gets it; false if it was lost on purpose or the client is gone
 */
public record Reply(
    boolean error,
    int code,
    String text,
    long affectedRows,
    long rows,
    List<@Nullable String> values,
    boolean passed) {

  static Reply error(int code, String text) {
    return new Reply(true, code, text, -1, 0, List.of(), true);
  }

  static Reply status(String text, long affectedRows) {
    return new Reply(false, 0, text, affectedRows, 0, List.of(), true);
  }

  static Reply rows(long rows, List<@Nullable String> values) {
    return new Reply(false, 0, "", -1, rows, values, true);
  }

  Reply lost() {
    return new Reply(error, code, text, affectedRows, rows, values, false);
  }
}
