package io.stockproof.reports.html;

import java.util.Locale;

/** Writes SVG: every text and every value is escaped here, and nowhere else. */
final class Svg {

  private final StringBuilder out = new StringBuilder();

  /**
   * Opens an element.
   *
   * @param attributes names and values in turn; numbers are written with one decimal at most
   */
  Svg open(String element, Object... attributes) {
    start(element, attributes);
    out.append('>');
    return this;
  }

  /** An element without content; attributes as in {@link #open}. */
  Svg empty(String element, Object... attributes) {
    start(element, attributes);
    out.append("/>");
    return this;
  }

  /** An element with a text in it; attributes as in {@link #open}. */
  Svg text(String element, String text, Object... attributes) {
    open(element, attributes);
    escape(text);
    return close(element);
  }

  Svg close(String element) {
    out.append("</").append(element).append('>');
    return this;
  }

  private void start(String element, Object... attributes) {
    out.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"");
      escape(attributes[i + 1] instanceof Double d ? number(d) : attributes[i + 1].toString());
      out.append('"');
    }
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.1f", value);
  }

  private void escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        // What XML does not allow would end the picture.
        default -> out.append(c < ' ' || c == '\u007f' ? ' ' : c);
      }
    }
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
