package io.stockproof.verification.environment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One setting: a system property, below it an environment variable, and below that an entry of
 * {@code junit-platform.properties} on the class path, where JUnit has its own settings.
 *
 * @param property for example {@code stockproof.environment}
 */
public record Setting(String property) {

  private static final String FILE = "junit-platform.properties";
  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  /** The property with capitals and underscores: {@code STOCKPROOF_ENVIRONMENT}. */
  String variable() {
    return property.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /** What is set, the system property first; blank counts as not set. */
  public Optional<String> text() {
    return Optional.ofNullable(System.getProperty(property))
        .filter(value -> !value.isBlank())
        .or(() -> Optional.ofNullable(System.getenv(variable())).filter(v -> !v.isBlank()))
        .or(() -> Optional.ofNullable(file().getProperty(property)))
        .map(String::strip)
        .filter(value -> !value.isEmpty());
  }

  private static Properties file() {
    Properties properties = new Properties();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context == null ? Setting.class.getClassLoader() : context;
    try (InputStream in = loader.getResourceAsStream(FILE)) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException unreadable) {
      throw new UncheckedIOException(FILE + " cannot be read", unreadable);
    }
    return properties;
  }

  /**
   * A time, more than nothing, such as 500ms, 30s, 2m or 1h.
   *
   * @throws IllegalArgumentException naming the property, the value and what is allowed
   */
  public Optional<Duration> duration() {
    return text().map(value -> time(value).orElseThrow(() -> bad("a time such as 30s", value)));
  }

  /**
   * A whole number.
   *
   * @throws IllegalArgumentException naming the property, the value and what is allowed
   */
  public Optional<Long> number() {
    return text()
        .map(
            value -> {
              try {
                return Long.valueOf(value);
              } catch (NumberFormatException none) {
                throw bad("a whole number", value);
              }
            });
  }

  /**
   * Whether it is true; not set means no.
   *
   * @throws IllegalArgumentException naming the property and the value if it is neither true nor
   *     false
   */
  public boolean flag() {
    return text().map(this::flag).orElse(false);
  }

  private boolean flag(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw bad("true or false", value);
    };
  }

  /** The time that a text such as 500ms, 30s, 2m or 1h means; empty if it means none. */
  public static Optional<Duration> time(String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
      return Optional.empty();
    }
    long number = Long.parseLong(matcher.group(1));
    return Optional.of(
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          case "m" -> Duration.ofMinutes(number);
          default -> Duration.ofHours(number);
        });
  }

  /**
   * One of the constants of an enum, written in lower case.
   *
   * @throws IllegalArgumentException naming the property, the value and what is allowed
   */
  public <E extends Enum<E>> Optional<E> choice(Class<E> type) {
    return text().map(value -> parse(value, type));
  }

  private <E extends Enum<E>> E parse(String value, Class<E> type) {
    Function<E, String> name = constant -> constant.name().toLowerCase(Locale.ROOT);
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> name.apply(constant).equals(value.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                bad(
                    "one of "
                        + Arrays.stream(type.getEnumConstants())
                            .map(name)
                            .collect(Collectors.joining(", ")),
                    value));
  }

  private IllegalArgumentException bad(String allowed, String value) {
    return new IllegalArgumentException(
        "%s (or %s) must be %s, was '%s'".formatted(property, variable(), allowed, value));
  }
}
