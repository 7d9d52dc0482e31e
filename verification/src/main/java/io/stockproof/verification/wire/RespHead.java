package io.stockproof.verification.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The first bytes of a reply of Redis, kept so that people can be told what it said. */
final class RespHead {
  private static final int KEPT = 512;
  private static final int MOST_VALUES = 8;

  private static final Set<String> PUB_SUB =
      Set.of(
          "message",
          "pmessage",
          "smessage",
          "subscribe",
          "psubscribe",
          "ssubscribe",
          "unsubscribe",
          "punsubscribe",
          "sunsubscribe");

  private final byte[] kept = new byte[KEPT];
  private int length;
  private int at;

  void clear() {
    length = 0;
  }

  void add(byte[] b, int from, int to) {
    int n = Math.min(to - from, KEPT - length);
    if (n > 0) {
      System.arraycopy(b, from, kept, length, n);
      length += n;
    }
  }

  boolean isPubSub() {
    if (length == 0 || kept[0] != '*') {
      return false;
    }
    List<@Nullable String> values = reply().values();
    return !values.isEmpty() && values.get(0) != null && PUB_SUB.contains(values.get(0));
  }

  Reply reply() {
    at = 0;
    if (length == 0) {
      return Reply.status("", -1);
    }
    byte type = kept[0];
    switch (type) {
      case '-' -> {
        at = 1;
        return Reply.error(0, line());
      }
      case '+' -> {
        at = 1;
        return Reply.status(line(), -1);
      }
      case '*', '~', '%', '>' -> {
        at = 1;
        long count = number(line());
        long elements = type == '%' ? 2 * count : count;
        return Reply.rows(Math.max(0, elements), values(elements));
      }
      default -> {
        List<@Nullable String> one = values(1);
        return Reply.rows(1, one);
      }
    }
  }

  private List<@Nullable String> values(long count) {
    List<@Nullable String> values = new ArrayList<>();
    for (int i = 0; i < Math.min(count, MOST_VALUES) && at < length; i++) {
      if (!addValue(values)) {
        break;
      }
    }
    return values;
  }

  /** False if it is nested or cut off. */
  private boolean addValue(List<@Nullable String> values) {
    byte type = kept[at++];
    String header = line();
    if (at > length) {
      return false;
    }
    switch (type) {
      case '$', '=', '!' -> {
        int size = (int) Math.min(Integer.MAX_VALUE, number(header));
        if (size >= 0) {
          int there = Math.max(0, Math.min(size, length - at));
          String text = Printable.text(kept, at, there);
          values.add(there < size ? text + "…" : text);
          at = Math.min(length, at + there + 2);
        } else {
          values.add(null);
        }
        return true;
      }
      case '_' -> values.add(null);
      case '*', '~', '%', '>', '|' -> {
        return number(header) < 0 && values.add(null);
      }
      default -> values.add(header);
    }
    return true;
  }

  /** Up to the end of the line; the position goes past it, beyond the length if there is no end. */
  private String line() {
    int from = at;
    int i = from;
    while (i < length && kept[i] != '\r') {
      i++;
    }
    at = i + 2;
    return Printable.text(kept, from, Math.max(0, i - from));
  }

  private static long number(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
